from sickbay.model.ids import kube
from sickbay.model.kubernetes import Container, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)

_REFUSED = "CreateContainerConfigError"


@each(Pod)
def is_refused_as_root(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    waiting = {
        one.name
        for one in pod.waiting
        if one.waiting and one.waiting.reason == _REFUSED and not one.waiting.message
    }
    for container in (*(pod.spec.init_containers or ()), *pod.spec.containers):
        if container.name not in waiting:
            continue
        must_not, user = _asked(pod, container)
        if not must_not or user:
            return Clear(f"nothing keeps {pod.namespace}/{pod.name} from running as its user")
        if user is None and not all(
            snapshot.find(kube(kind, pod.namespace, source.name or ""))
            for kind, source in container.sources
            if not source.optional
        ):
            # What its environment is taken from may be missing as well.
            return None
        why = "and runAsUser is 0" if user == 0 else "and no runAsUser stands against the image's"
        return Match(
            f"container {container.name} of {pod.namespace}/{pod.name} is not made ({_REFUSED}): runAsNonRoot is true {why}",
            facts={"user": "0" if user == 0 else ""},
            cites=(pod.cite(f"spec.containers[{container.name}].securityContext", must_not),),
            # Without a number in the pod it is the image that decides.
            weight=None if user == 0 else TYPICAL,
        )
    return None


def _asked(pod: Pod, container: Container) -> tuple[bool, int | None]:
    """Whether a container must not be root, and the user that it is given."""
    contexts = [one for one in (container.security_context, pod.spec.security_context) if one]
    must_not = [one.run_as_non_root for one in contexts if one.run_as_non_root is not None]
    users = [one.run_as_user for one in contexts if one.run_as_user is not None]
    return bool(must_not and must_not[0]), users[0] if users else None


RULE = Rule(
    title="A container must not run as root, and its image does (runAsNonRoot)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        is_refused_as_root,
        Signature(
            pattern=r"container has runAsNonRoot and image (?:will run as root|has non-numeric user)(?: \((?P<user>[\w.-]+)\))?|container's runAsUser breaks non-root policy",
            says="runAsNonRoot forbids the user of the image",
            sample='Error: container has runAsNonRoot and image will run as root (pod: "cart-1_shop(1f5e)", container: app)',
            near_miss='Error: configmap "cart-settings" not found',
        ),
    ),
    why="securityContext.runAsNonRoot: true makes the kubelet refuse an image whose user is root, or whose user is only a name, because a name may be root: CreateContainerConfigError.",
    remedy=(
        Step(
            "See the security context.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.securityContext}{.spec.containers[*].securityContext}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set runAsUser to a number above 0 in the pod, or USER with a number in the image.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/configure-pod-container/security-context/",),
    leads_to=(
        "kubernetes.rollout_stuck",
        "kubernetes.config_missing",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
