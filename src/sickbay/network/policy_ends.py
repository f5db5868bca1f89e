"""The two ends of some traffic as policies see them: labels, addresses, the node, named ports."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeVar

from sickbay.model.entity import KubeEntity
from sickbay.model.guards import Namespace
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Container, Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import Prefix, parse
from sickbay.network.selectors import Labels
from sickbay.network.traffic import Place

NAME_LABEL: Final = "kubernetes.io/metadata.name"
_DEFAULT: Final = "default"
_ENDED: Final = frozenset({"Succeeded", "Failed"})
_OWN_ADDRESSES: Final = frozenset({"InternalIP", "ExternalIP"})
NOBODY: Final = Labels({})
K = TypeVar("K", bound=KubeEntity)


class End(NamedTuple):
    """One end.

    `pod` is set only for a pod that policies can select: one with a network of its own that has not
    ended. A pod in the host's network is its node.
    """

    label: str
    pod: Pod | None = None
    namespace: str = ""
    labels: Labels = NOBODY
    namespace_labels: Labels = NOBODY
    node_name: str = ""
    node_labels: Labels | None = None
    is_host: bool = False
    has_ended: bool = False
    addresses: tuple[Prefix, ...] = ()
    named_ports: Mapping[tuple[str, str], frozenset[int]] = {}
    fqdn: str = ""
    is_internet: bool = False

    @property
    def families(self) -> frozenset[int]:
        return frozenset(address.version for address in self.addresses)

    def of_family(self, family: int) -> "End":
        """The same end, known only by its addresses of one family."""
        return self._replace(addresses=tuple(a for a in self.addresses if a.version == family))


def end_of(snapshot: Snapshot, place: Place) -> End:
    """The end at a place; an address that a pod or node in evidence has is that pod or node."""
    pod, node = place.pod, place.node
    if pod is None and node is None:
        pod, node = _known_by_address(snapshot, place.addresses)
    if pod is not None:
        return pod_end(snapshot, pod, place.addresses)
    if node is not None:
        return _node_end(node, place)
    return End(
        place.label,
        addresses=_parsed(place.addresses),
        fqdn=place.fqdn.rstrip(".").casefold(),
        is_internet=place.is_internet,
    )


def pod_end(snapshot: Snapshot, pod: Pod, addresses: Iterable[str] = ()) -> End:
    """The end that a pod is."""
    namespace = pod.namespace or _DEFAULT
    known = _parsed(addresses) or _parsed(pod_addresses(pod))
    end = End(f"{namespace}/{pod.name}", node_name=pod.node, addresses=known)
    if has_ended(pod):
        return end._replace(has_ended=True, addresses=())
    if pod.spec.host_network:
        node = _node_named(snapshot, pod.node)
        return end._replace(
            is_host=True,
            node_labels=Labels(node.labels) if node else None,
            addresses=known or (_parsed(node_addresses(node)) if node else ()),
        )
    return end._replace(
        pod=pod,
        namespace=namespace,
        labels=Labels(pod.labels),
        namespace_labels=snapshot.once(_namespaces).get(namespace) or nameless(namespace),
        named_ports=named_ports(pod),
    )


def has_ended(pod: Pod) -> bool:
    """Whether a pod has finished for good, and gave up its address."""
    return pod.status.phase in _ENDED


def nameless(namespace: str) -> Labels:
    """What is known of a namespace that was not read: the label that the API server sets."""
    return Labels({NAME_LABEL: namespace}, is_complete=False)


def pod_addresses(pod: Pod) -> tuple[str, ...]:
    status = pod.status
    listed = [address.ip for address in status.pod_ips or () if address.ip]
    host = [status.host_ip] if pod.spec.host_network and status.host_ip else []
    own = [status.pod_ip] if status.pod_ip else []
    return tuple(dict.fromkeys([*own, *listed, *host]))


def node_addresses(node: Node) -> tuple[str, ...]:
    return tuple(a.address for a in node.status.addresses or () if a.type in _OWN_ADDRESSES)


def listening(pod: Pod) -> list[Container]:
    """The containers that run as long as the pod: all but the init containers that end."""
    sidecars = [c for c in pod.spec.init_containers or () if c.restart_policy == "Always"]
    return [*sidecars, *pod.spec.containers]


def named_ports(pod: Pod) -> dict[tuple[str, str], frozenset[int]]:
    """The numbers behind each name of a port, by protocol; two containers can share a name."""
    found: dict[tuple[str, str], frozenset[int]] = {}
    for container in listening(pod):
        for port in container.ports or ():
            if port.name and port.container_port is not None:
                key = (port.name, port.protocol or "TCP")
                found[key] = found.get(key, frozenset()) | {port.container_port}
    return found


def families_in(snapshot: Snapshot) -> frozenset[int]:
    """The address families that the pods and nodes in evidence have."""
    return snapshot.once(_families)


def _families(snapshot: Snapshot) -> frozenset[int]:
    return frozenset(prefix.version for prefix in _residents(snapshot))


def _residents(snapshot: Snapshot) -> dict[Prefix, Pod | Node]:
    """Who has an address: nodes, then pods with a network of their own."""
    return snapshot.once(_find_residents)


def _find_residents(snapshot: Snapshot) -> dict[Prefix, Pod | Node]:
    found: dict[Prefix, Pod | Node] = {}
    for node in sorted(_some(snapshot, Node), key=lambda node: node.name):
        found.update(dict.fromkeys(_parsed(node_addresses(node)), node))
    for pod in sorted(_some(snapshot, Pod), key=lambda pod: (pod.namespace, pod.name)):
        if not has_ended(pod) and not pod.spec.host_network:
            found.update(dict.fromkeys(_parsed(pod_addresses(pod)), pod))
    return found


def _known_by_address(
    snapshot: Snapshot, addresses: tuple[str, ...]
) -> tuple[Pod | None, Node | None]:
    residents = _residents(snapshot) if addresses else {}
    for address in _parsed(addresses):
        found = residents.get(address)
        if isinstance(found, Pod):
            return found, None
        if found is not None:
            return None, found
    return None, None


def _some(snapshot: Snapshot, kind: type[K]) -> tuple[K, ...]:
    return snapshot.some(kind) if snapshot.holds(kind.kind) else ()


def _node_named(snapshot: Snapshot, name: str) -> Node | None:
    found = snapshot.find(kube("Node", "", name)) if name else None
    return found if isinstance(found, Node) else None


def _node_end(node: Node, place: Place) -> End:
    return End(
        place.label,
        node_name=node.name,
        node_labels=Labels(node.labels),
        is_host=True,
        addresses=_parsed(place.addresses) or _parsed(node_addresses(node)),
    )


def _namespaces(snapshot: Snapshot) -> dict[str, Labels]:
    return {
        namespace.name: Labels({**namespace.labels, NAME_LABEL: namespace.name})
        for namespace in _some(snapshot, Namespace)
    }


def _parsed(texts: Iterable[str]) -> tuple[Prefix, ...]:
    return tuple(prefix for text in texts if (prefix := parse(text)) is not None)
