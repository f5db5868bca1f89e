from sickbay.model.guards import LimitRange, ResourceQuota
from sickbay.model.snapshot import Snapshot
from sickbay.model.templates import TemplateContainer
from sickbay.model.workloads import ReplicaSet
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ReplicaSet)
def states_too_little(replicas: ReplicaSet, snapshot: Snapshot) -> Match | Clear | None:
    if not replicas.is_refused or replicas.spec.template is None:
        return None
    snapshot.require(ResourceQuota, replicas.namespace)
    # A limit range fills in what a container leaves out.
    if snapshot.in_namespace(LimitRange, replicas.namespace):
        return None
    for quota in snapshot.in_namespace(ResourceQuota, replicas.namespace):
        for container in replicas.spec.template.spec.containers:
            if lacks := [what for what in quota.status.hard or () if _lacks(container, what)]:
                return Match(
                    f"quota {quota.name} counts {', '.join(lacks)}, which container {container.name} of {replicas.namespace}/{replicas.name} does not state",
                    facts={"quota": quota.name, "what": ", ".join(lacks)},
                    cites=(quota.cite("status.hard", lacks),),
                )
    return Clear(f"{replicas.namespace}/{replicas.name} states what the quotas count")


def _lacks(container: TemplateContainer, counted: str) -> bool:
    group, _, name = counted.rpartition(".")
    if name not in {"cpu", "memory"} or group not in {"", "requests", "limits"}:
        return False
    own = container.resources
    limits = (own and own.limits) or {}
    # A limit alone is taken for the request.
    stated = limits if group == "limits" else {**limits, **((own and own.requests) or {})}
    return name not in stated


RULE = Rule(
    title="A quota counts requests or limits that a pod does not state (must specify)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        states_too_little,
        Signature(
            pattern=r"failed quota: (?P<quota>[\w.-]+): must specify (?P<what>[\w.,/-]+)|is forbidden: (?P<one>[\w./-]+) is limited by quota, must make explicit request",
            says="the quota {quota} wants every container to state {what}",
            sample='Error creating: pods "cart-1" is forbidden: failed quota: compute: must specify limits.cpu for: app; limits.memory for: app',
            near_miss='Error creating: pods "cart-1" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=10, limited: pods=10',
        ),
    ),
    why="A quota over limits.cpu or requests.memory can be kept only if every container states that value; the API server therefore refuses a pod that leaves it out, however much is free.",
    remedy=(
        Step(
            "See what the quota counts.",
            run=(
                "kubectl",
                "describe",
                "resourcequota",
                "{quota}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "State {what} for every container, sidecars and init containers included.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get events -n {namespace} shows no further FailedCreate",
        ),
        Step(
            "Or give the namespace a LimitRange with defaults, so that pods that state nothing get them."
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/policy/resource-quotas/",
        "https://kubernetes.io/docs/concepts/policy/limit-range/",
    ),
    leads_to=(
        "kubernetes.pods_not_created",
        "kubernetes.rollout_stuck",
    ),
    ask="kubectl describe resourcequota -n {namespace}",
)
