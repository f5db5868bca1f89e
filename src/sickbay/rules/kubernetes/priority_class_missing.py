from sickbay.model.guards import PriorityClass
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import ReplicaSet
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ReplicaSet)
def names_no_class(replicas: ReplicaSet, snapshot: Snapshot) -> Match | Clear | None:
    template = replicas.spec.template
    name = (template and template.spec.priority_class_name) or ""
    if not name or not replicas.is_refused:
        return None
    if snapshot.get(kube("PriorityClass", "", name), PriorityClass):
        return Clear(f"priority class {name} exists")
    return Match(
        f"{replicas.namespace}/{replicas.name} cannot make its pods, and their priority class {name} does not exist",
        facts={"class": name},
        cites=(replicas.cite("spec.template.spec.priorityClassName", name),),
    )


RULE = Rule(
    title="A pod names a PriorityClass that does not exist",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        names_no_class,
        Signature(
            pattern=r"no PriorityClass with name (?P<class>[\w.-]+) was found",
            says="there is no PriorityClass {class}",
            sample='Error creating: pods "cart-1" is forbidden: no PriorityClass with name business-critical was found',
            near_miss="priorityclass.scheduling.k8s.io/business-critical created",
        ),
    ),
    why="The API server translates priorityClassName into a number when a pod is created, and refuses the pod if there is no class of that name.",
    remedy=(
        Step(
            "See the classes.",
            run=(
                "kubectl",
                "get",
                "priorityclass",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the class, or correct priorityClassName in the workload.",
            run=(
                "kubectl",
                "create",
                "priorityclass",
                "{class}",
                "--value=1000",
            ),
            verify="kubectl get events -n {namespace} shows no further FailedCreate",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/",),
    leads_to=(
        "kubernetes.pods_not_created",
        "kubernetes.rollout_stuck",
    ),
    ask="kubectl get priorityclass",
)
