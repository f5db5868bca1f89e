"""What rows of `kubectl get` tell of things whose objects they tell too little of."""

from typing import ClassVar

from sickbay.model.entity import KubeEntity, Shape


class RowSpec(Shape, frozen=True, gc=False):
    # Of a service its selector, of pods that were asked for by labels these.
    selector: dict[str, str] | None = None
    # Of endpoints: whether there are any.
    is_empty: bool = False
    # Whether somebody asked for this one by name, and so relies on it.
    is_asked_for: bool = False
    # Of a node: `Ready`, `NotReady`, `SchedulingDisabled`.
    states: list[str] | None = None


class ServiceRow(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "ServiceRow"
    look: ClassVar[str] = "kubectl get services -n {namespace} -o wide"

    spec: RowSpec = RowSpec()


class EndpointsRow(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "EndpointsRow"
    look: ClassVar[str] = "kubectl get endpoints -n {namespace}"

    spec: RowSpec = RowSpec()


class PodRow(KubeEntity, frozen=True, gc=False):
    """A pod with its labels, or, without a name, that none has the labels that were asked for."""

    kind: ClassVar[str] = "PodRow"
    look: ClassVar[str] = "kubectl get pods -n {namespace} --show-labels"

    spec: RowSpec = RowSpec()


class NodeRow(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "NodeRow"
    look: ClassVar[str] = "kubectl get nodes"

    spec: RowSpec = RowSpec()

    @property
    def is_ready(self) -> bool:
        return "Ready" in (self.spec.states or ())

    @property
    def is_cordoned(self) -> bool:
        return "SchedulingDisabled" in (self.spec.states or ())
