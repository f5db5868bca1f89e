from collections.abc import Callable

from sickbay.model.kubernetes import Node, Pod
from sickbay.model.placement import is_unschedulable, requested
from sickbay.model.quantity import cores, memory, number
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_RESOURCES = (("cpu", cores), ("memory", memory), ("ephemeral-storage", memory))


@each(Pod)
def asks_for_more_than_any_node(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not is_unschedulable(pod):
        return None
    nodes = snapshot.all(Node)
    for resource, shown in (*_RESOURCES, *_devices(pod)):
        wanted = requested(pod, resource)
        largest = max(
            (number((node.status.allocatable or {}).get(resource)) for node in nodes), default=0.0
        )
        if nodes and wanted > largest:
            return Match(
                f"{pod.namespace}/{pod.name} requests {shown(wanted)} of {resource}, and the largest node can give {shown(largest)}",
                facts={"resource": resource},
                cites=(
                    pod.cite(
                        "spec.containers[*].resources.requests", f"{resource} {shown(wanted)}"
                    ),
                ),
            )
    return Clear(f"{pod.namespace}/{pod.name} requests no more than the largest node can give")


def _devices(pod: Pod) -> list[tuple[str, Callable[[float], str]]]:
    """What it asks for that only special nodes have, such as GPUs."""
    asked = {
        name
        for container in pod.spec.containers
        if container.resources
        for name in container.resources.requests or container.resources.limits or ()
    }
    return [(name, lambda n: f"{n:g}") for name in sorted(asked) if _is_device(name)]


def _is_device(name: str) -> bool:
    return "/" in name and not name.startswith("requests.")


RULE = Rule(
    title="A pod requests more CPU, memory, disk or devices than any node of the cluster has",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.SCALING),
    detect=(
        asks_for_more_than_any_node,
        Signature(
            pattern=r"pod didn't trigger scale-up:.{0,200}?\d+ Insufficient (?P<resource>cpu|memory)",
            says="even a new node would have too little {resource} for a pod",
            sample="Normal  NotTriggerScaleUp  2m  cluster-autoscaler  pod didn't trigger scale-up: 1 Insufficient cpu",
            near_miss="Normal  NotTriggerScaleUp  2m  cluster-autoscaler  pod didn't trigger scale-up: 1 max node group size reached",
        ),
    ),
    why="More nodes of the same size do not help: what the pod requests is larger than what the biggest VM size in the cluster has to give after the system's own reserve.",
    remedy=(
        Step(
            "Lower the request of the pod to what it really uses.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "Or add a node pool of a larger VM size.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "<pool>",
                "--node-vm-size",
                "<larger-size>",
            ),
            verify="kubectl get nodes shows the new nodes Ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/troubleshoot-pod-scheduler-errors",
        "https://learn.microsoft.com/azure/aks/node-resource-reservations",
    ),
    leads_to=("kubernetes.pod_pending", "kubernetes.insufficient_resources"),
    ask="kubectl get nodes -o json",
)
