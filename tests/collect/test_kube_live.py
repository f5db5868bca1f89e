"""A live run over a cluster: what it reads, what it leaves alone, and what it is worth."""

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from kube_server import (  # type: ignore[import-not-found]
    KINDS,
    Api,
    Asked,
    Reply,
    Served,
    pod,
    serving,
    status,
)

from sickbay.app import Settings, diagnose_saved
from sickbay.bundle.build import Builder, Deaf
from sickbay.cli.main import main
from sickbay.collect.kube_kinds import TABLE
from sickbay.collect.kubeconfig import access
from sickbay.collect.kubernetes import About, Kubernetes
from sickbay.collect.source import read_all
from sickbay.live import collect_live, diagnose_live
from sickbay.model.diagnosis import Diagnosis, Health
from sickbay.model.entity import KubeEntity
from sickbay.model.evidence import Reason
from sickbay.model.guards import Namespace
from sickbay.model.ids import kube
from sickbay.model.installed import Secret
from sickbay.model.kinds import descendants
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.progress import ignore

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
CRASH = {
    "phase": "Running",
    "conditions": [{"type": "Ready", "status": "False", "reason": "ContainersNotReady"}],
    "containerStatuses": [
        {
            "name": "app",
            "restartCount": 5,
            "ready": False,
            "state": {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 5m0s"}},
            "lastState": {"terminated": {"exitCode": 1, "reason": "Error"}},
        }
    ],
}
PULL = {
    "phase": "Pending",
    "containerStatuses": [
        {
            "name": "app",
            "ready": False,
            "state": {
                "waiting": {
                    "reason": "ImagePullBackOff",
                    "message": 'Back-off pulling image "contoso.example/app:1": manifest unknown',
                }
            },
        }
    ],
}


@pytest.fixture
def served() -> Iterator[Served]:
    api = Api()
    api.add("namespaces", *({"metadata": {"name": name}} for name in ("shop", "kube-system")))
    ready = {"conditions": [{"type": "Ready", "status": "True"}]}
    api.add("nodes", {"metadata": {"name": "n1"}, "status": ready})
    with serving(api) as made:
        yield made


def source(
    served: Served, folder: Path, namespace: str = "", seconds: float = 20, **how: Any
) -> Kubernetes:
    found = access(str(served.config(folder, **how)))
    assert found is not None
    return Kubernetes(found, About(namespace, seconds))


def diagnosed(served: Served, folder: Path, **how: Any) -> Diagnosis:
    return diagnose_live([source(served, folder, **how)], "lab", Settings())


def seen(served: Served, folder: Path, namespace: str = "", **how: Any) -> Snapshot:
    builder = Builder(Deaf())
    read_all([source(served, folder, namespace, **how)], builder, ignore)
    return builder.finish()


def test_every_kind_that_rules_know_is_in_the_table() -> None:
    from sickbay.model.kinds import kube_class

    told = {kube_class(kind, f"{group}/v1" if group else "v1").kind for group, _, kind in TABLE}
    # Kinds of ASO are found by their groups; files of an appliance are no objects of a cluster,
    # nor are the rows of tables that somebody saved.
    listed = {cls.kind for cls in descendants(KubeEntity) if cls.look.startswith("kubectl get ")}
    assert told == listed - {"aso", "EndpointsRow", "NodeRow", "PodRow", "ServiceRow"}


def test_every_list_has_a_limit_and_nothing_is_written(served: Served, tmp_path: Path) -> None:
    served.api.add("pods", pod("a", **CRASH))
    diagnosed(served, tmp_path)
    lists = [
        one for one in served.api.asked if one.path.rpartition("/")[2] in {r for _, r in KINDS}
    ]
    assert lists
    assert all(one.query.get("limit") == "500" for one in lists)
    assert {one.method for one in served.api.asked} <= {"GET", "POST"}
    posts = {one.path.rpartition("/")[2] for one in served.api.asked if one.method == "POST"}
    assert posts == {"selfsubjectrulesreviews"}


def test_a_kind_that_is_not_served_has_no_objects(served: Served, tmp_path: Path) -> None:
    found = seen(served, tmp_path)
    assert found.has_seen("Gateway")
    assert found.has_seen("Pod")


def test_a_healthy_cluster_is_healthy(served: Served, tmp_path: Path) -> None:
    served.api.add("pods", pod("a"))
    found = diagnosed(served, tmp_path)
    assert (found.health, found.causes, found.gaps) == (Health.HEALTHY, (), ())


@pytest.mark.parametrize("is_new", [True, False])
def test_older_servers_tell_their_kinds_one_by_one(
    served: Served, tmp_path: Path, is_new: bool
) -> None:
    served.api.has_new_discovery = is_new
    served.api.add("pods", pod("a"))
    assert seen(served, tmp_path).holds("Pod")


def test_a_live_run_says_what_a_run_over_its_bundle_says(served: Served, tmp_path: Path) -> None:
    served.api.add("pods", pod("a", **CRASH), pod("b", **PULL))
    served.api.logs["shop/a/app"] = b"panic: cannot open /etc/shop.conf: permission denied\n"
    live = diagnosed(served, tmp_path)
    bundle = str(tmp_path / "case.sickbay")
    assert collect_live([source(served, tmp_path)], bundle, pseudonyms=False) == ()
    saved = diagnose_saved(bundle, Settings())
    assert live.causes
    assert [(one.rule, one.certainty, one.subject, one.says) for one in live.causes] == [
        (one.rule, one.certainty, one.subject, one.says) for one in saved.causes
    ]


def test_the_log_of_a_container_that_crashes_is_read_within_bounds(
    served: Served, tmp_path: Path
) -> None:
    served.api.add("pods", pod("a", **CRASH), pod("b"), pod("c", **PULL))
    diagnosed(served, tmp_path)
    logs = [one for one in served.api.asked if one.path.endswith("/log")]
    assert [one.path for one in logs] == ["/api/v1/namespaces/shop/pods/a/log"]
    assert int(logs[0].query["tailLines"]) <= 1000
    assert int(logs[0].query["limitBytes"]) <= 1 << 20


def restarted(times: int, seconds: int) -> dict[str, Any]:
    """A container that is ready again after it died."""
    began = (datetime.now(UTC) - timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
    died = {"terminated": {"exitCode": 1}}
    one = {"name": "app", "ready": True, "restartCount": times, "lastState": died}
    return {"containerStatuses": [{**one, "state": {"running": {"startedAt": began}}}]}


@pytest.mark.parametrize(("times", "seconds", "count"), [(5, 60, 1), (5, 86_400, 0), (1, 60, 0)])
def test_the_last_life_is_read_of_what_dies_again_and_again_and_lately(
    served: Served, tmp_path: Path, times: int, seconds: int, count: int
) -> None:
    served.api.add("pods", pod("a", **restarted(times, seconds)))
    diagnosed(served, tmp_path)
    logs = [one.query for one in served.api.asked if one.path.endswith("/log")]
    assert [one.get("previous") for one in logs] == ["true"] * count


def test_one_log_of_a_workload_tells_for_all(served: Served, tmp_path: Path) -> None:
    owned = [pod(f"web-{at}", **CRASH) for at in range(50)]
    for one in owned:
        one["metadata"]["ownerReferences"] = [{"kind": "ReplicaSet", "name": "web"}]
    served.api.add("pods", *owned)
    diagnosed(served, tmp_path)
    assert len([one for one in served.api.asked if one.path.endswith("/log")]) <= 2


def test_the_operator_is_heard_when_it_has_objects(served: Served, tmp_path: Path) -> None:
    operator = pod("azureserviceoperator-controller-manager-1", "azureserviceoperator-system")
    operator["status"]["containerStatuses"] = [
        {"name": "manager", "ready": True, "state": {"running": {}}}
    ]
    served.api.add("pods", operator)
    group = {"metadata": {"name": "rg", "namespace": "shop"}}
    served.api.add("resourcegroups", group, group="resources.azure.com")
    diagnosed(served, tmp_path)
    assert any(one.path.endswith("manager-1/log") for one in served.api.asked)


SECRET = "hunter2-hunter2"  # noqa: S105 - planted, to be found nowhere


def with_secrets(served: Served) -> None:
    data = {"password": base64.b64encode(SECRET.encode()).decode()}
    applied = {"kubectl.kubernetes.io/last-applied-configuration": json.dumps({"data": data})}
    own = {"name": "db", "namespace": "shop", "annotations": applied}
    ids = {
        "AZURE_CLIENT_ID": base64.b64encode(b"11111111-aaaa-4bbb-8ccc-222222222222").decode(),
        "AZURE_CLIENT_SECRET": data["password"],
    }
    credential = {"name": "aso-credential", "namespace": "shop", "annotations": applied}
    served.api.add(
        "secrets", {"metadata": own, "data": data}, {"metadata": credential, "data": ids}
    )
    served.api.add("configmaps", {"metadata": {"name": "app", "namespace": "shop"}, "data": data})
    group = {"metadata": {"name": "rg", "namespace": "shop"}}
    served.api.add("resourcegroups", group, group="resources.azure.com")


def test_of_a_secret_no_value_is_read(served: Served, tmp_path: Path) -> None:
    with_secrets(served)
    found = seen(served, tmp_path)
    secret = found.get(kube("Secret", "shop", "aso-credential"), Secret)
    assert secret is not None
    assert secret.keys == ["AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET"]
    assert secret.ids == {"AZURE_CLIENT_ID": "11111111-aaaa-4bbb-8ccc-222222222222"}
    other = found.get(kube("Secret", "shop", "db"), Secret)
    assert other is not None
    assert (other.keys, other.annotations) == (None, {})


def test_no_value_of_a_secret_is_in_a_bundle(served: Served, tmp_path: Path) -> None:
    from sickbay.bundle.files import walk

    with_secrets(served)
    bundle = tmp_path / "case.sickbay"
    collect_live([source(served, tmp_path)], str(bundle), pseudonyms=False)
    packed = base64.b64encode(SECRET.encode())
    for piece in walk(str(bundle)):
        with piece.open() as reader:  # type: ignore[union-attr]
            data = reader.read()
        assert SECRET.encode() not in data
        assert packed not in data
        assert b"last-applied" not in data
        assert b'"good"' not in data


def test_what_is_forbidden_is_named_and_the_role_that_opens_it(
    served: Served, tmp_path: Path
) -> None:
    served.api.rules = [{"verbs": ["list"], "apiGroups": [""], "resources": ["pods", "namespaces"]}]
    served.api.add("pods", pod("a"))
    found = diagnosed(served, tmp_path)
    gaps = [gap for gap in found.gaps if gap.reason is Reason.FORBIDDEN]
    assert any("in the whole cluster" in gap.what and "nodes" in gap.what for gap in gaps)
    assert all("pods" not in gap.what for gap in gaps)
    assert all("--print-role" in gap.to_open for gap in gaps)
    assert not any(one.path == "/api/v1/nodes" for one in served.api.asked)


def test_rights_in_one_namespace_are_used(served: Served, tmp_path: Path) -> None:
    served.api.add("pods", pod("a"), pod("b", "kube-system"))
    everything = set(KINDS)
    served.api.forbidden = everything | {
        (f"kube-system:{group}", name) for group, name in everything
    }

    def only_shop(one: Asked) -> Reply | None:
        if one.path == "/api/v1/namespaces/shop/pods":
            served.api.forbidden.discard(("", "pods"))
        elif one.path == "/api/v1/pods":
            served.api.forbidden.add(("", "pods"))
        return None

    served.api.special.append(only_shop)
    found = seen(served, tmp_path)
    assert found.has_seen("Pod", "shop")
    assert not found.has_seen("Pod")
    assert [one.name for one in found.some(Pod)] == ["a"]


def test_a_namespace_narrows_what_is_read(served: Served, tmp_path: Path) -> None:
    served.api.add("pods", pod("a"), pod("b", "kube-system"))
    found = seen(served, tmp_path, "shop")
    assert [one.name for one in found.some(Pod)] == ["a"]
    assert found.has_seen("Node")


def test_of_other_namespaces_only_their_labels_are_read(served: Served, tmp_path: Path) -> None:
    held = {"type": "NamespaceFinalizersRemaining", "status": "True", "message": "one is left"}
    status = {"phase": "Terminating", "conditions": [held]}
    for name in ("mine", "other"):
        metadata = {"name": name, "labels": {"team": name}}
        served.api.add("namespaces", {"metadata": metadata, "status": status})
    found = {one.name: one for one in seen(served, tmp_path, "mine").some(Namespace)}
    assert found["mine"].status.phase == "Terminating"
    assert found["other"].status.phase is None
    assert found["other"].metadata.labels == {"team": "other"}


def test_lists_that_fail_alike_are_one_gap(served: Served, tmp_path: Path) -> None:
    lists = ("/api/v1/services", "/api/v1/configmaps")
    broken = status(500, "rpc error: the store is gone")
    served.api.special.append(lambda one: broken if one.path in lists else None)
    gaps = [gap.what for gap in seen(served, tmp_path).gaps]
    assert gaps == ["configmaps, services: rpc error: the store is gone"]


def test_one_kind_that_fails_does_not_hide_the_others(served: Served, tmp_path: Path) -> None:
    path = "/apis/resources.azure.com/v1/resourcegroups"
    broken = status(500, "conversion webhook for resources.azure.com failed")
    served.api.special.append(lambda one: broken if one.path == path else None)
    served.api.add("pods", pod("a"))
    found = seen(served, tmp_path)
    assert found.has_seen("Pod")
    assert not found.has_seen("aso")
    assert any("conversion webhook" in gap.what for gap in found.gaps)


def test_the_current_context_is_what_a_bare_command_means(
    served: Served,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    served.api.add("pods", pod("a", **PULL))
    monkeypatch.setenv("KUBECONFIG", str(served.config(tmp_path)))
    assert main(["diagnose", "-o", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["causes"][0]["rule"].startswith("kubernetes.image")


def test_traffic_is_followed_through_a_cluster_that_runs(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    served.api.add("pods", pod("a"), pod("b"))
    everybody: dict[str, Any] = {"podSelector": {}, "policyTypes": ["Ingress"]}
    closed = {"metadata": {"name": "closed", "namespace": "shop"}, "spec": everybody}
    ends = ("pod/shop/a", "pod/shop/b", "--port", "80")
    words = ["reach", *ends, "--kubeconfig", str(served.config(tmp_path)), "-o", "json"]
    assert json.loads((main(words), capsys.readouterr().out)[1])["verdict"] != "blocked"
    served.api.add("networkpolicies", closed, group="networking.k8s.io")
    assert main(words) == 1
    assert json.loads(capsys.readouterr().out)["by"][0]["name"] == "shop/closed"


def test_a_dry_run_tells_the_lists_and_asks_nobody(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = str(served.config(tmp_path))
    assert main(["collect", "--kubeconfig", config, "--dry-run"]) == 0
    told = capsys.readouterr().out
    assert "pods/log" in told
    assert "secrets" in told
    assert served.api.asked == []
