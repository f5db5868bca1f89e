"""Kubernetes objects: what rules read of them, and what they stand on."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from sickbay.model.affinity import Affinity, Spread
from sickbay.model.entity import KubeEntity, Said, Shape
from sickbay.model.ids import Ref, arm, kube
from sickbay.model.pod_parts import ClaimSource as ClaimSource  # noqa: PLC0414 - handed on
from sickbay.model.pod_parts import Container as Container  # noqa: PLC0414 - handed on
from sickbay.model.pod_parts import ContainerPort as ContainerPort  # noqa: PLC0414 - handed on
from sickbay.model.pod_parts import KeySource as KeySource  # noqa: PLC0414 - handed on
from sickbay.model.pod_parts import NameSource as NameSource  # noqa: PLC0414 - handed on
from sickbay.model.pod_parts import Toleration as Toleration  # noqa: PLC0414 - handed on
from sickbay.model.pod_parts import UserContext as UserContext  # noqa: PLC0414 - handed on
from sickbay.model.pod_parts import Volume as Volume  # noqa: PLC0414 - handed on

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot


class Condition(Shape, frozen=True, gc=False):
    type: str = ""
    status: str = ""
    reason: str | None = None
    message: str | None = None
    last_transition_time: str | None = None
    last_heartbeat_time: str | None = None

    @property
    def is_true(self) -> bool:
        return self.status == "True"


def condition_of(conditions: list[Condition] | None, type: str) -> Condition | None:
    """Find a condition by its type; never by its place."""
    return next((c for c in conditions or () if c.type == type), None)


def announces_eviction(event: Condition) -> bool:
    """Whether an announced event of the platform takes a spot machine back."""
    return event.is_true and "preempt" in f"{event.reason} {event.message}".casefold()


def conditions_said(conditions: list[Condition] | None) -> Iterator[Said]:
    for index, condition in enumerate(conditions or ()):
        if condition.message:
            yield Said(
                f"status.conditions[{index}].message",
                f"{condition.reason or condition.type}: {condition.message}",
                condition.last_transition_time or "",
            )


class ContainerState(Shape, frozen=True, gc=False):
    reason: str | None = None
    message: str | None = None
    exit_code: int | None = None
    signal: int | None = None
    started_at: str | None = None
    finished_at: str | None = None


class ContainerStates(Shape, frozen=True, gc=False):
    waiting: ContainerState | None = None
    running: ContainerState | None = None
    terminated: ContainerState | None = None


class ContainerStatus(Shape, frozen=True, gc=False):
    name: str = ""
    image: str | None = None
    ready: bool | None = None
    restart_count: int | None = None
    state: ContainerStates | None = None
    last_state: ContainerStates | None = None

    @property
    def waiting(self) -> ContainerState | None:
        return self.state.waiting if self.state else None

    @property
    def last_termination(self) -> ContainerState | None:
        now = self.state.terminated if self.state else None
        return now or (self.last_state.terminated if self.last_state else None)

    @property
    def loops(self) -> bool:
        """Whether it waits to be started again, or has just ended once more."""
        if self.waiting:
            return self.waiting.reason == "CrashLoopBackOff"
        # What was to end and has done its work is ready: an init container.
        ended = self.state.terminated if self.state else None
        return bool(ended and self.restart_count and not (ended.exit_code == 0 and self.ready))

    @property
    def was_made(self) -> bool:
        waits = self.waiting.reason if self.waiting else None
        if waits in {"ContainerCreating", "PodInitializing"}:
            return self.last_termination is not None
        return self.state is not None


class DnsOption(Shape, frozen=True, gc=False):
    name: str = ""
    value: str | None = None


class DnsConfig(Shape, frozen=True, gc=False):
    nameservers: list[str] | None = None
    searches: list[str] | None = None
    options: list[DnsOption] | None = None


class ReadinessGate(Shape, frozen=True, gc=False):
    condition_type: str = ""


class DeviceClaim(Shape, frozen=True, gc=False):
    name: str = ""
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class PodSpec(Shape, frozen=True, gc=False):
    node_name: str | None = None
    containers: list[Container] = []
    init_containers: list[Container] | None = None
    node_selector: dict[str, str] | None = None
    affinity: Affinity | None = None
    tolerations: list[Toleration] | None = None
    volumes: list[Volume] | None = None
    host_network: bool | None = None
    security_context: UserContext | None = None
    runtime_class_name: str | None = None
    service_account_name: str | None = None
    scheduler_name: str | None = None
    scheduling_gates: list[NameSource] | None = None
    dns_policy: str | None = None
    dns_config: DnsConfig | None = None
    readiness_gates: list[ReadinessGate] | None = None
    resource_claims: list[DeviceClaim] | None = None
    image_pull_secrets: list[NameSource] | None = None
    topology_spread_constraints: list[Spread] | None = None


class PodAddress(Shape, frozen=True, gc=False):
    ip: str | None = None


class PodStatus(Shape, frozen=True, gc=False):
    phase: str | None = None
    reason: str | None = None
    message: str | None = None
    pod_ip: str | None = None
    pod_ips: list[PodAddress] | None = None
    host_ip: str | None = None
    start_time: str | None = None
    conditions: list[Condition] | None = None
    container_statuses: list[ContainerStatus] | None = None
    init_container_statuses: list[ContainerStatus] | None = None


class Pod(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Pod"
    look: ClassVar[str] = "kubectl get pods -A -o json"

    spec: PodSpec = PodSpec()
    status: PodStatus = PodStatus()

    @property
    def statuses(self) -> list[ContainerStatus]:
        """Init containers first, as they run."""
        return [
            *(self.status.init_container_statuses or ()),
            *(self.status.container_statuses or ()),
        ]

    @property
    def waiting(self) -> list[ContainerStatus]:
        """The containers that do not run yet, or not again; asked of every pod, so kept quick."""
        status = self.status
        return [
            container
            for group in (status.init_container_statuses, status.container_statuses)
            if group
            for container in group
            if container.state is not None and container.state.waiting is not None
        ]

    @property
    def crashing(self) -> list[tuple[ContainerStatus, ContainerState]]:
        """The containers that end again and again, each with how it last ended.

        Between two waits such a container is seen as ended, or as running for a moment.
        """
        if self.status.phase in {"Succeeded", "Failed"} or self.metadata.deletion_timestamp:
            return []
        return [(c, c.last_termination) for c in self.statuses if c.last_termination and c.loops]

    @property
    def has_made_containers(self) -> bool:
        """Whether its sandbox and volumes were there: only then is a container made."""
        return any(container.was_made for container in self.statuses)

    @property
    def is_unplaced_because(self) -> str:
        """What the scheduler says now of a pod without a node."""
        placed = condition_of(self.status.conditions, "PodScheduled")
        return (placed.message or "") if placed and not placed.is_true else ""

    @property
    def node(self) -> str:
        return self.spec.node_name or ""

    @property
    def is_ready(self) -> bool:
        ready = condition_of(self.status.conditions, "Ready")
        return ready is not None and ready.is_true

    @property
    def is_unwell(self) -> bool:
        return not self.is_ready and self.status.phase != "Succeeded"

    @property
    def workload(self) -> Ref:
        """The Deployment, StatefulSet … that a user would change.

        The pod itself if nothing owns it.
        """
        owner = self.owner
        if owner is None:
            return self.ref
        if owner.kind == "ReplicaSet":
            return kube("Deployment", self.namespace, owner.name.rpartition("-")[0] or owner.name)
        return kube(owner.kind, self.namespace, owner.name)

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.spec.node_name:
            yield kube("Node", "", self.spec.node_name)
        for volume in self.spec.volumes or ():
            if volume.persistent_volume_claim:
                claim = volume.persistent_volume_claim.claim_name
                yield kube("PersistentVolumeClaim", self.namespace, claim)
        if self.owner:
            yield kube(self.owner.kind, self.namespace, self.owner.name)
            yield self.workload

    def said(self) -> Iterator[Said]:
        status = self.status
        if status.message:
            yield Said("status.message", f"{status.reason or status.phase}: {status.message}")
        yield from conditions_said(status.conditions)
        for group, statuses in (
            ("initContainerStatuses", status.init_container_statuses),
            ("containerStatuses", status.container_statuses),
        ):
            for index, container in enumerate(statuses or ()):
                yield from _container_said(container, f"status.{group}[{index}]")


_SPEAKING: Final = ("Err", "Create", "Run", "Invalid", "ImageInspect", "Registry")


def _container_said(container: ContainerStatus, path: str) -> Iterator[Said]:
    waiting = container.waiting
    if waiting and waiting.message:
        yield Said(f"{path}.state.waiting.message", f"{waiting.reason}: {waiting.message}")
    elif waiting and (waiting.reason or "").startswith(_SPEAKING):
        # The word alone says what is wrong, also where the texts were taken out.
        yield Said(f"{path}.state.waiting.reason", f"{waiting.reason}")
    for where, states in (("state", container.state), ("lastState", container.last_state)):
        ended = states.terminated if states else None
        if ended and ended.message:
            yield Said(
                f"{path}.{where}.terminated.message",
                f"{ended.reason}: {ended.message}",
                ended.finished_at or "",
            )


class Taint(Shape, frozen=True, gc=False):
    key: str = ""
    value: str | None = None
    effect: str | None = None


class NodeSpec(Shape, frozen=True, gc=False):
    provider_id: str | None = None
    unschedulable: bool | None = None
    taints: list[Taint] | None = None
    pod_cidr: str | None = None


class NodeAddress(Shape, frozen=True, gc=False):
    type: str = ""
    address: str = ""


class NodeInfo(Shape, frozen=True, gc=False):
    kubelet_version: str | None = None
    operating_system: str | None = None
    architecture: str | None = None
    os_image: str | None = None
    kernel_version: str | None = None
    container_runtime_version: str | None = None


class NodeStatus(Shape, frozen=True, gc=False):
    conditions: list[Condition] | None = None
    allocatable: dict[str, str | int | float] | None = None
    capacity: dict[str, str | int | float] | None = None
    addresses: list[NodeAddress] | None = None
    node_info: NodeInfo | None = None


class Node(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Node"
    look: ClassVar[str] = "kubectl get nodes -o json"

    spec: NodeSpec = NodeSpec()
    status: NodeStatus = NodeStatus()

    def condition(self, type: str) -> Condition | None:
        return condition_of(self.status.conditions, type)

    @property
    def is_ready(self) -> bool:
        ready = self.condition("Ready")
        return ready is not None and ready.is_true

    @property
    def tainted(self) -> frozenset[str]:
        """The keys of its taints."""
        return frozenset(taint.key for taint in self.spec.taints or ())

    @property
    def is_unwell(self) -> bool:
        return not self.is_ready

    @property
    def pool(self) -> str:
        """The node pool, as AKS labels it."""
        return self.labels.get("kubernetes.azure.com/agentpool") or self.labels.get("agentpool", "")

    @property
    def instance_id(self) -> str:
        """The ARM id of the virtual machine, out of the provider id."""
        provider = self.spec.provider_id or ""
        return provider.removeprefix("azure://") if provider.startswith("azure://") else ""

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        if self.instance_id:
            yield arm(self.instance_id)
        else:
            yield from snapshot.machines_named(self.name)
        yield from snapshot.pools_named(self.pool)

    def said(self) -> Iterator[Said]:
        return conditions_said(self.status.conditions)
