"""What a user may name as an end of some traffic, and what stands there."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

from sickbay.errors import SickbayError
from sickbay.model.aks import ManagedCluster
from sickbay.model.entity import KubeEntity
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.policy_ends import node_addresses, pod_addresses
from sickbay.network.prefixes import is_same, parse
from sickbay.network.traffic import Place

FORMS: Final = (
    "pod/NAMESPACE/NAME, svc/NAMESPACE/NAME, node/NAME, ip:ADDRESS, internet, apiserver "
    "or a host name"
)
_POD_WORDS: Final = ("pod", "pods", "po")
_SERVICE_WORDS: Final = ("svc", "service", "services")
_NODE_WORDS: Final = ("node", "nodes", "no")
_MOST_NAMED: Final = 5
_DEFAULT: Final = "default"
_LONGEST_NAME: Final = 253


class SpotKind(StrEnum):
    POD = "pod"
    SERVICE = "service"
    NODE = "node"
    ADDRESS = "address"
    INTERNET = "internet"
    API_SERVER = "apiserver"
    NAME = "name"


class Spot(NamedTuple):
    """One end of the traffic as it was asked for, and what is known to stand there."""

    kind: SpotKind
    place: Place
    service: Service | None = None
    cluster: ManagedCluster | None = None

    @property
    def label(self) -> str:
        return self.place.label


def spot_of(snapshot: Snapshot, text: str) -> Spot:
    """What a word stands for; SickbayError when it is no such word, or is not in evidence."""
    word = text.strip()
    if word.casefold() == "internet":
        return Spot(SpotKind.INTERNET, Place("internet", is_internet=True))
    if word.casefold() == "apiserver":
        return api_server(snapshot)
    if word.casefold().startswith("ip:"):
        return of_address(snapshot, word[len("ip:") :])
    if "/" in word and parse(word) is None:
        return _object(snapshot, word)
    if parse(word) is not None:
        return of_address(snapshot, word)
    return _name(snapshot, word)


def of_address(snapshot: Snapshot, text: str) -> Spot:
    """The pod, node or service that has an address, or the bare address."""
    prefix = parse(text)
    if prefix is None or prefix.size != 1:
        raise SickbayError(f"{text} is no address", f"name each end as {FORMS}")
    address = text.strip().partition("/")[0]
    label = f"ip:{address}"
    for service in sorted(snapshot.grouped(Service, "kind", Service.kind), key=lambda s: s.ref):
        if any(is_same(address, own) for own in service_addresses(service)):
            return Spot(SpotKind.SERVICE, Place(label, (address,)), service)
    return Spot(SpotKind.ADDRESS, Place(label, (address,)))


def service_addresses(service: Service) -> tuple[str, ...]:
    """The addresses of a service itself, inside the cluster and outside."""
    spec, balancer = service.spec, service.status.load_balancer
    given = [one.ip or "" for one in (balancer and balancer.ingress) or ()]
    inside = [spec.cluster_ip or "", *(spec.cluster_ips or ())]
    found = [*inside, *given, *(spec.external_ips or ())]
    return tuple(dict.fromkeys(one for one in found if one and one != "None"))


def api_server(snapshot: Snapshot) -> Spot:
    """The API server: of the cluster in evidence, or at least its service."""
    clusters = snapshot.grouped(ManagedCluster, "kind", ManagedCluster.kind)
    if len(clusters) > 1:
        names = _listed(cluster.name for cluster in clusters)
        raise SickbayError("there are several clusters in evidence", f"keep one of: {names}")
    service = snapshot.find(kube("Service", "default", "kubernetes"))
    return Spot(
        SpotKind.API_SERVER,
        Place("apiserver"),
        service if isinstance(service, Service) else None,
        clusters[0] if clusters else None,
    )


def pod_spot(pod: Pod) -> Spot:
    label = f"pod/{pod.namespace or _DEFAULT}/{pod.name}"
    return Spot(SpotKind.POD, Place(label, pod_addresses(pod), pod=pod))


def _object(snapshot: Snapshot, word: str) -> Spot:
    kind, _, rest = word.partition("/")
    namespace, slash, name = rest.rpartition("/")
    kind = kind.casefold()
    if kind in _POD_WORDS and name:
        return pod_spot(_found(snapshot, Pod, namespace if slash else _DEFAULT, name))
    if kind in _SERVICE_WORDS and name:
        service = _found(snapshot, Service, namespace if slash else _DEFAULT, name)
        label = f"svc/{service.namespace}/{service.name}"
        return Spot(SpotKind.SERVICE, Place(label, service_addresses(service)), service)
    if kind in _NODE_WORDS and name and not slash:
        node = _found(snapshot, Node, "", name)
        return Spot(SpotKind.NODE, Place(f"node/{name}", node_addresses(node), node=node))
    raise SickbayError(f"{word} is no end of traffic that I know", f"name each end as {FORMS}")


def _found(snapshot: Snapshot, cls: type[KubeEntity], namespace: str, name: str):  # type: ignore[no-untyped-def]
    # A manifest may leave out the default namespace.
    for home in (namespace, "") if namespace == _DEFAULT else (namespace,):
        found = snapshot.find(kube(cls.kind, home, name))
        if isinstance(found, cls):
            return found
    where = f" in namespace {namespace}" if namespace else ""
    others = [one.name for one in _of(snapshot, cls, namespace)]
    if others:
        hint = f"there are {_listed(others)}"
    elif snapshot.has_seen(cls.kind, namespace):
        hint = "the evidence holds none at all"
    else:
        hint = f"save it with: {cls.look}"
    raise SickbayError(f"there is no {cls.kind} {name}{where} in evidence", hint)


def _of(snapshot: Snapshot, cls: type[KubeEntity], namespace: str) -> tuple[KubeEntity, ...]:
    if namespace:
        return snapshot.in_namespace(cls, namespace)
    return snapshot.grouped(cls, "kind", cls.kind)


def _name(snapshot: Snapshot, word: str) -> Spot:
    name = word.rstrip(".").casefold()
    labels = name.split(".")
    is_host = all(label and label.replace("-", "").replace("_", "").isalnum() for label in labels)
    if not is_host or not word.isascii() or len(word) > _LONGEST_NAME:
        raise SickbayError(f"{word} is no end of traffic that I know", f"name each end as {FORMS}")
    for cluster in snapshot.grouped(ManagedCluster, "kind", ManagedCluster.kind):
        own = {(cluster.fqdn or "").casefold(), (cluster.private_fqdn or "").casefold()}
        if name in own - {""}:
            return Spot(SpotKind.API_SERVER, Place(word, fqdn=word), cluster=cluster)
    return Spot(SpotKind.NAME, Place(word, fqdn=word))


def _listed(names: Iterable[str]) -> str:
    every = sorted(names)
    more = len(every) - _MOST_NAMED
    return ", ".join(every[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
