from sickbay.model.guards import ResourceQuota
from sickbay.model.quantity import number
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment, ReplicaSet, StatefulSet, Workload
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ResourceQuota)
def is_used_up(quota: ResourceQuota, snapshot: Snapshot) -> Match | Clear | None:
    hard, used = quota.status.hard or {}, quota.status.used or {}
    if not hard:
        return None
    for lacking in _short(quota.namespace, snapshot):
        for name, cap in hard.items():
            wanted = _wanted(lacking, name)
            if wanted and number(used.get(name)) + wanted > number(cap):
                return Match(
                    f"quota {quota.namespace}/{quota.name} is used up ({name}: {used.get(name, 0)} of {cap}), and {lacking.name} has {lacking.status.replicas or 0} of {lacking.spec.replicas} pods",
                    facts={"quota": quota.name},
                    cites=(quota.cite("status.used", f"{name}={used.get(name, 0)}"),),
                )
    snapshot.require(ReplicaSet, quota.namespace)
    return Clear(f"nothing asks for more than quota {quota.namespace}/{quota.name} leaves")


def _short(namespace: str, snapshot: Snapshot) -> list[Workload]:
    """What lacks pods; a deployment tells it too where nobody saved its replica sets."""
    kinds = (ReplicaSet, Deployment, StatefulSet)
    every = (one for kind in kinds for one in snapshot.in_namespace(kind, namespace))
    return [
        one
        for one in every
        if (one.spec.replicas or 0) > (one.status.replicas or 0) and not one.spec.paused
    ]


def _wanted(replicas: Workload, name: str) -> float:
    """What one more pod would take of what a quota counts."""
    if name in ("pods", "count/pods"):
        return 1.0
    side, _, resource = name.rpartition(".")
    claims = [one.spec for one in replicas.spec.volume_claim_templates or ()]
    if name in ("persistentvolumeclaims", "count/persistentvolumeclaims"):
        return float(len(claims))
    if name == "requests.storage":
        return sum(number(one.asked("storage")) for one in claims)
    template = replicas.spec.template
    if template is None or (side or "requests") not in ("requests", "limits"):
        return 0.0
    stated = [c.resources for c in template.spec.containers if c.resources]
    if side == "limits":
        return sum(number((one.limits or {}).get(resource)) for one in stated)
    # A limit alone stands for the request too.
    both = [{**(one.limits or {}), **(one.requests or {})} for one in stated]
    return sum(number(one.get(resource)) for one in both)


RULE = Rule(
    title="The quota of a namespace is exceeded, so new pods are refused",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.SCALING,
    ),
    detect=(
        is_used_up,
        Signature(
            pattern=r"[Ee]xceeded quota: (?P<quota>[\w.-]+)(?:, requested: (?P<requested>[\w./=,-]+), used: (?P<used>[\w./=,-]+), limited: (?P<limited>[\w./=,-]+))?",
            says="the quota {quota} of the namespace does not allow it",
            sample='Error creating: pods "cart-1" is forbidden: exceeded quota: compute, requested: limits.cpu=2, used: limits.cpu=19, limited: limits.cpu=20',
            near_miss="Operation could not be completed as it results in exceeding approved standardDSv3Family Cores quota.",
        ),
    ),
    why="A ResourceQuota caps what a namespace may use in all; the new object would pass the cap, so the API server refuses it with exceeded quota.",
    remedy=(
        Step(
            "See caps and use.",
            run=(
                "kubectl",
                "describe",
                "resourcequota",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Raise the quota, lower the requests, or remove what is no longer needed.",
            run=(
                "kubectl",
                "edit",
                "resourcequota",
                "{quota}",
                "-n",
                "{namespace}",
            ),
            verify="kubectl get events -n {namespace} shows no further FailedCreate",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/policy/resource-quotas/",),
    leads_to=(
        "kubernetes.pods_not_created",
        "kubernetes.rollout_stuck",
    ),
    ask="kubectl describe resourcequota -n {namespace}",
)
