"""Hand-made diagnoses, each with one thing to show."""

from collections.abc import Callable
from typing import Any

import pytest

Document = dict[str, Any]
Make = Callable[..., Document]

CLUSTER = (
    "/subscriptions/00000000-1111-2222-3333-444444444444/resourceGroups/prod-rg"
    "/providers/Microsoft.ContainerService/managedClusters/prod"
)


def subject(kind: str, id: str) -> Document:
    return {"kind": kind, "id": id, "name": id.rpartition("/")[2]}


BUDGET = subject("PodDisruptionBudget", "poddisruptionbudget/shop/cart")
NODE = subject("Node", "node/aks-np1-31-vmss000002")
POOL = subject("Microsoft.ContainerService/managedClusters/agentPools", f"{CLUSTER}/agentPools/np1")
PROD = subject("Microsoft.ContainerService/managedClusters", CLUSTER)


def make_cause(**changes: Any) -> Document:
    cause: Document = {
        "rule": "kubernetes.pdb_blocks_drain",
        "title": "A disruption budget forbids every eviction, so nodes cannot be drained",
        "severity": "error",
        "certainty": "proven",
        "subject": BUDGET,
        "says": "shop/cart wants 2 of 2 pods up, so no node that holds one can be drained",
        "why": "A node is emptied by evicting its pods, and the API server refuses an eviction "
        "that would leave fewer healthy pods than the budget asks for.",
        "evidence": [
            {
                "source": "pdb.yaml",
                "locator": "$.items[3].status.disruptionsAllowed",
                "text": "0",
            },
            {"source": "deploy.yaml", "locator": "$.items[9].spec.replicas", "text": "2"},
            {
                "source": "activity.json",
                "locator": "$[7].properties.statusMessage",
                "text": "Drain node aks-np1-31-vmss000002 failed when evicting pod cart-7d9: "
                "Cannot evict pod as it would violate the pod's disruption budget.",
            },
        ],
        "explains": [
            {
                "rule": "aks.drain_failed",
                "subject": NODE,
                "says": "drain gave up after 30 min (12 tries)",
                "depth": 1,
            },
            {"rule": "aks.pool_failed", "subject": POOL, "says": "UpgradeFailed", "depth": 2},
            {"rule": "aks.cluster_failed", "subject": PROD, "says": "state Failed", "depth": 3},
        ],
        "ruled_out": [
            {
                "rule": "aks.quota_exceeded",
                "because": "Standard DSv5 in westeurope: 24 of 100 cores used, upgrade needs 8",
            },
            {
                "rule": "aks.subnet_full",
                "because": "aks-subnet 10.1.0.0/24: 120 of 251 addresses used, surge needs 31",
            },
        ],
        "ask": "",
        "remedy": [
            {
                "text": "See which budgets allow no eviction.",
                "run": ["kubectl", "get", "pdb", "-A"],
                "risk": "read",
                "verify": "",
            },
            {
                "text": "Let one pod go during the drain.",
                "run": [
                    *("kubectl", "-n", "shop", "patch", "pdb", "cart", "--type", "merge"),
                    *("-p", '{"spec":{"minAvailable":1}}'),
                ],
                "risk": "disruptive",
                "verify": "kubectl -n shop get pdb cart wants ALLOWED DISRUPTIONS >= 1",
            },
            {
                "text": "Upgrade the pool again.",
                "run": [
                    *("az", "aks", "nodepool", "upgrade", "-g", "prod-rg", "--cluster-name"),
                    *("prod", "-n", "np1", "--kubernetes-version", "1.33.4"),
                ],
                "risk": "disruptive",
                "verify": f"sickbay diagnose --id {CLUSTER}",
            },
            {
                "text": "Put minAvailable back to 2 once the pool is Succeeded.",
                "run": [],
                "risk": "safe",
                "verify": "",
            },
        ],
        "docs": [
            "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete"
            "/error-code-poddrainfailure"
        ],
        "first_seen": "2026-01-01T10:02:11Z",
        "last_seen": "2026-01-01T10:33:40Z",
        "count": 1,
        "also": [],
        "carriers": [],
        "stands_in": False,
    }
    return cause | changes


def make_data(*causes: Document, **changes: Any) -> Document:
    data: Document = {
        "schema": "sickbay.diagnosis/v1",
        "version": "0.1.0",
        "health": "sick" if causes else "unknown",
        "target": {"kind": PROD["kind"], "id": CLUSTER, "portal": "https://portal.azure.com/"},
        "causes": list(causes),
        "unexplained": [],
        "gaps": [],
        "timeline": [
            {
                "at": "2026-01-01T10:02:11Z",
                "source": "activity.json",
                "subject": BUDGET,
                "says": "shop/cart wants 2 of 2 pods up, so no node that holds one can be drained",
            },
            {
                "at": "2026-01-01T10:32:00Z",
                "source": "activity.json",
                "subject": NODE,
                "says": "drain gave up after 30 min (12 tries)",
            },
            {
                "at": "2026-01-01T10:32:30Z",
                "source": "activity.json",
                "subject": POOL,
                "says": "UpgradeFailed",
            },
            {
                "at": "2026-01-01T10:33:40Z",
                "source": "aks.json",
                "subject": PROD,
                "says": "state Failed",
            },
        ],
        "crashed": [],
        "looked": {"files": 14, "not_understood": 1, "entities": 212, "texts": 87},
    }
    return data | changes


def make_hostile(name: str, said: str, certainty: str = "proven") -> Document:
    """A diagnosis in which everything that evidence can touch is hostile."""
    thing = {"kind": "Pod", "id": f"pod/{name}/{name}", "name": name}
    one = make_cause(
        certainty=certainty,
        title=said,
        says=said,
        why=said,
        ask=f"kubectl get {name}",
        subject=thing,
        also=[thing] * 3,
        count=9,
        carriers=[name],
        evidence=[{"source": name, "locator": name, "text": said}],
        explains=[
            {"rule": "a.b", "subject": thing, "says": said, "depth": n} for n in range(1, 20)
        ],
        ruled_out=[{"rule": "a.b", "because": said}],
        remedy=[{"text": said, "run": ["kubectl", name], "risk": "safe", "verify": said}],
    )
    gap = {"source": name, "what": said, "reason": "malformed", "to_open": said}
    note = make_cause(severity="info", title=said, says=said)
    return make_data(one, one, one, note, gaps=[gap], crashed=[said])


@pytest.fixture(scope="session")
def hostile() -> Make:
    return make_hostile


@pytest.fixture(scope="session")
def cause() -> Make:
    return make_cause


@pytest.fixture(scope="session")
def data() -> Make:
    return make_data


@pytest.fixture(scope="session")
def symptom() -> Document:
    """A symptom that stands in, because no cause is in sight."""
    return make_cause(
        rule="aks.drain_failed",
        title="A node could not be drained",
        certainty="possible",
        subject=NODE,
        says="draining a node failed",
        why="An upgrade empties a node first, and stops when a pod does not leave.",
        evidence=[{"source": "stdin", "locator": "line 1", "text": "Code: PodDrainFailure"}],
        explains=[],
        ruled_out=[],
        ask="kubectl get pdb -A -o json",
        remedy=make_cause()["remedy"][:1],
        stands_in=True,
    )


@pytest.fixture(scope="session")
def candidates() -> list[Document]:
    """What could be behind that symptom."""
    return [
        make_cause(
            certainty="possible",
            subject=NODE,
            says="would explain: draining a node failed",
            evidence=[],
            explains=[],
            ruled_out=[],
            ask="kubectl get pdb -A -o json",
        ),
        make_cause(
            rule="kubernetes.finalizer_stuck",
            title="A finalizer keeps a pod in Terminating",
            certainty="possible",
            subject=NODE,
            says="would explain: draining a node failed",
            evidence=[],
            explains=[],
            ruled_out=[],
            ask="kubectl get pods -A -o json",
        ),
    ]
