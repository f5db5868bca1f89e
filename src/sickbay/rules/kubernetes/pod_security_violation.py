from sickbay.model.guards import Namespace
from sickbay.model.ids import kube
from sickbay.model.pod_security import BASELINE, enforced, violations
from sickbay.model.snapshot import Snapshot
from sickbay.model.unmade import asked_for, lacks_pods, speaks_for_itself
from sickbay.model.workloads import DaemonSet, Deployment, ReplicaSet, StatefulSet, Workload
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_MOST_NAMED = 3


@each(ReplicaSet)
def set_is_forbidden(work: ReplicaSet, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(work, snapshot)


@each(Deployment)
def deployment_is_forbidden(work: Deployment, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(work, snapshot) if speaks_for_itself(work, snapshot) else None


@each(Namespace)
def forbids_its_own(namespace: Namespace, snapshot: Snapshot) -> Match | None:
    """The sets of pods of which no other rule says that they lack any."""
    others = (
        *snapshot.in_namespace(StatefulSet, namespace.name),
        *snapshot.in_namespace(DaemonSet, namespace.name),
    )
    outcomes = (_judge(work, snapshot) for work in sorted(others, key=lambda one: one.name))
    return next((one for one in outcomes if isinstance(one, Match)), None)


def _judge(work: Workload, snapshot: Snapshot) -> Match | Clear | None:
    if not lacks_pods(work):
        return None
    namespace = snapshot.get(kube("Namespace", "", work.namespace), Namespace)
    level = enforced(namespace) if namespace else ""
    if namespace is None or not level:
        return Clear(f"namespace {work.namespace} enforces no Pod Security level")
    found = violations(asked_for(work), level)
    if not found:
        return Clear(f"the pods of {work.namespace}/{work.name} keep to level {level}")
    lower = "privileged" if violations(asked_for(work), BASELINE) else BASELINE
    more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    return Match(
        f"{work.namespace}/{work.name} lacks pods, and its template breaks level {level}, which namespace {work.namespace} enforces: {', '.join(found[:_MOST_NAMED])}{more}",
        facts={"level": level, "lower": lower},
        cites=(
            work.cite("spec.template.spec", found[0]),
            namespace.cite("metadata.labels.enforce", level),
        ),
        subject=work.ref,
    )


RULE = Rule(
    title="A pod violates the Pod Security level or policy of its namespace",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        set_is_forbidden,
        deployment_is_forbidden,
        forbids_its_own,
        Signature(
            pattern=r"violates PodSecurity \"(?P<level>[\w.:-]+)\"|unable to validate against any (?:security context constraint|pod security policy)|PodSecurityPolicy: unable to (?:admit|validate) pod",
            says="the pod violates the Pod Security level {level}",
            sample='Error creating: pods "cart-1" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false)',
            near_miss="Warning: would violate restricted level in audit mode",
        ),
    ),
    why="The namespace enforces a Pod Security level (baseline or restricted) by its labels, and the pod asks for something that the level forbids: privilege, host access, root, or a missing securityContext.",
    remedy=(
        Step(
            "See the level of the namespace.",
            run=("kubectl", "get", "namespace", "{namespace}", "--show-labels"),
            risk=Risk.READ,
        ),
        Step(
            "Set the securityContext fields that the refusal lists, and leave out what the level forbids.",
            risk=Risk.DISRUPTIVE,
            verify="the pods are created",
        ),
        Step(
            "Or lower the level[ to {lower}, the strictest that lets these pods in], if the workload needs the privilege.",
            run=(
                "kubectl",
                "label",
                "namespace",
                "{namespace}",
                "pod-security.kubernetes.io/enforce=<level>",
                "--overwrite",
            ),
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/security/pod-security-standards/",),
    leads_to=(
        "kubernetes.pods_not_created",
        "kubernetes.rollout_stuck",
    ),
    ask="kubectl get namespace {namespace} --show-labels",
)
