from sickbay.model.ages import hours_between, seen_at
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

# A controller that runs lets go within seconds; after a quarter of an hour it is sure that none does.
_SECONDS_PATIENCE, _SURE = 30 / 3600, 0.25


@each(Pod)
def waits_for_finalizer(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    since = pod.metadata.deletion_timestamp
    if not since or not pod.metadata.finalizers:
        return None
    waited = hours_between(since, seen_at(pod, snapshot))
    if waited is not None and waited < _SECONDS_PATIENCE:
        return Clear(f"{pod.namespace}/{pod.name} was deleted a moment ago")
    held = ", ".join(pod.metadata.finalizers)
    return Match(
        f"{pod.namespace}/{pod.name} is to be deleted since {since} and held by {held}",
        facts={"finalizer": held},
        cites=(pod.cite("metadata.finalizers", held),),
        at=since,
        weight=TYPICAL if waited is None or waited < _SURE else None,
    )


RULE = Rule(
    title="A finalizer holds a pod in Terminating",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(waits_for_finalizer,),
    why="The API server removes a deleted pod only when its list of finalizers is empty. The controller that put this one there does not run any more, or cannot finish, so the pod stays although its containers have ended.",
    remedy=(
        Step(
            "Find the controller that owns the finalizer {finalizer}, and bring it back up; it then lets go by itself.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
            ),
            risk=Risk.READ,
            verify="kubectl get pod {pod} -n {namespace} finds nothing",
        ),
        Step(
            "Only when that controller is gone for good, remove the finalizers.",
            run=(
                "kubectl",
                "patch",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "--type",
                "merge",
                "-p",
                '{"metadata":{"finalizers":null}}',
            ),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/pods-namespaces-terminating-state",
    ),
    leads_to=(
        "kubernetes.pod_terminating",
        "aks.drain_failed",
        "kubernetes.namespace_stuck",
    ),
)
