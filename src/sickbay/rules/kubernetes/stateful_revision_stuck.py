from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import StatefulSet
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

_REVISION = "controller-revision-hash"
# Whatever keeps the old pod from being ready: it was mended in the set, and the pod does not know.
_OLD_TROUBLE = tuple(
    """
    kubernetes.image_not_found kubernetes.image_pull_failed kubernetes.image_name_invalid
    kubernetes.registry_unauthorised kubernetes.registry_unreachable kubernetes.program_fails
    kubernetes.crash_loop kubernetes.command_missing kubernetes.config_missing
    kubernetes.oom_killed kubernetes.exits_at_once kubernetes.readiness_fails
    kubernetes.probe_failed kubernetes.pod_pending kubernetes.rollout_stuck
    """.split()
)


@each(StatefulSet)
def waits_for_an_old_pod(members: StatefulSet, snapshot: Snapshot) -> Match | Clear | None:
    wanted = members.status.update_revision
    if not wanted or members.spec.pod_management_policy == "Parallel":
        return None
    snapshot.require(Pod, members.namespace)
    pods = snapshot.in_namespace(Pod, members.namespace)
    own = [pod for pod in pods if pod.workload == members.ref and pod.is_unwell]
    old = [pod for pod in own if (pod.labels or {}).get(_REVISION, wanted) != wanted]
    if not old or any(pod.metadata.deletion_timestamp for pod in old):
        return Clear(f"no broken pod of {members.namespace}/{members.name} is of an old revision")
    first = min(old, key=lambda pod: pod.name)
    return Match(
        f"{members.namespace}/{members.name} was changed (revision {wanted}), but waits for {first.name} of the old revision {first.labels.get(_REVISION)}, which does not become ready",
        facts={"pod": first.name, "set": members.name, "revision": wanted},
        cites=(
            members.cite("status.updateRevision", wanted),
            first.cite(f"metadata.labels.{_REVISION}", first.labels.get(_REVISION)),
        ),
    )


RULE = Rule(
    title="A StatefulSet waits for a broken pod of its old template, so that the mended one is never used",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(waits_for_an_old_pod,),
    why="A StatefulSet changes its pods one by one and goes on only when each is ready. A pod that was broken by an earlier template never becomes ready, and the set does not replace it by itself, although its template has been mended since.",
    remedy=(
        Step(
            "Delete the old pod: it is made anew from the template as it is now.",
            run=("kubectl", "delete", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl rollout status statefulset/{set} -n {namespace} ends",
        ),
        Step(
            "If the new pod is not ready either, the template is still wrong.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#forced-rollback",
    ),
    leads_to=_OLD_TROUBLE,
    ask="kubectl get statefulset,controllerrevisions -n {namespace} -o wide",
)
