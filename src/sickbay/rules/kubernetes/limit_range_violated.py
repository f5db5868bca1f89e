from sickbay.model.guards import Limit, LimitRange
from sickbay.model.quantity import number
from sickbay.model.snapshot import Snapshot
from sickbay.model.templates import TemplateContainer
from sickbay.model.workloads import ReplicaSet
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ReplicaSet)
def passes_bounds(replicas: ReplicaSet, snapshot: Snapshot) -> Match | Clear | None:
    if not replicas.is_refused or replicas.spec.template is None:
        return None
    snapshot.require(LimitRange, replicas.namespace)
    for found in snapshot.in_namespace(LimitRange, replicas.namespace):
        for limit in found.spec.limits or ():
            for container in replicas.spec.template.spec.containers:
                if limit.type == "Container" and (why := _passed(container, limit)):
                    return Match(
                        f"container {container.name} of {replicas.namespace}/{replicas.name} {why} of LimitRange {found.name}",
                        cites=(found.cite("spec.limits", why),),
                    )
    return Clear(f"{replicas.namespace}/{replicas.name} keeps to the limit ranges")


def _passed(container: TemplateContainer, limit: Limit) -> str:
    own = container.resources
    most = (own and own.limits) or {}
    least = (own and own.requests) or most
    for name, bound in (limit.max or {}).items():
        asked = most.get(name, least.get(name))
        if asked is not None and number(asked) > number(bound):
            return f"asks for {asked} {name}, more than the maximum {bound}"
    for name, bound in (limit.min or {}).items():
        asked = least.get(name, most.get(name))
        if asked is not None and number(asked) < number(bound):
            return f"asks for {asked} {name}, less than the minimum {bound}"
    return ""


RULE = Rule(
    title="A container asks for more or less than the LimitRange of its namespace allows",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        passes_bounds,
        Signature(
            pattern=r"(?P<side>maximum|minimum) (?P<resource>cpu|memory|ephemeral-storage|storage) usage per (?P<per>Container|Pod|PersistentVolumeClaim) is (?P<bound>[\w.]+)(?:, but (?:limit|request) is (?P<asked>[\w.]+))?|(?:cpu|memory) max limit to request ratio per (?:Container|Pod) is (?P<ratio>\d+)",
            says="the {side} of {resource} per {per} is {bound}",
            sample='Error creating: pods "cart-1" is forbidden: [maximum memory usage per Container is 1Gi, but limit is 2Gi]',
            near_miss="memory usage of container app is 900Mi",
        ),
    ),
    why="A LimitRange bounds what one container, pod or claim may ask for; the API server refuses everything outside of the bounds when it is created.",
    remedy=(
        Step(
            "See the bounds.",
            run=(
                "kubectl",
                "describe",
                "limitrange",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring requests and limits of the workload within them, or change the LimitRange.",
            run=(
                "kubectl",
                "edit",
                "limitrange",
                "-n",
                "{namespace}",
            ),
            verify="kubectl get events -n {namespace} shows no further FailedCreate",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/policy/limit-range/",),
    leads_to=(
        "kubernetes.pods_not_created",
        "kubernetes.rollout_stuck",
        "kubernetes.claim_missing",
    ),
    ask="kubectl describe limitrange -n {namespace}",
)
