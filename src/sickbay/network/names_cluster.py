"""What the DNS of a cluster answers its pods: services, its own rules, or those it forwards to."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from sickbay.model.evidence import Gap
from sickbay.model.guards import ConfigMap
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.corefile import CUSTOM, MAIN, Corefile, corefile_of
from sickbay.network.corefile_routes import Action, Course, course_of
from sickbay.network.names_answers import Resolution, answered, plain
from sickbay.network.names_servers import ask_network, ask_servers
from sickbay.network.prefixes import parse
from sickbay.network.traffic import Decider, Verdict

ZONE: Final = "cluster.local"
_OF_NODE: Final = "/etc/resolv.conf"
_MOST_STEPS: Final = 6
_SEE_DNS: Final = "kubectl -n kube-system get pods -l k8s-app=kube-dns"
_HEADLESS: Final = "None"


class Cluster(NamedTuple):
    """Where pods ask: the key of their nodes' network, and the address of the cluster's DNS."""

    network: str = ""
    dns_address: str = ""


def ask_cluster(snapshot: Snapshot, cluster: Cluster, name: str, steps: int = 0) -> Resolution:
    """Answer as CoreDNS does, by the configuration that is in evidence or the usual one."""
    corefile = corefile_of(snapshot)
    course = course_of(corefile, name)
    by = Decider("ConfigMap", _map_of(course), f"for {name}: {course.says}")
    found = _followed(snapshot, cluster, course, by, steps)
    if course.action is not Action.SERVICE:
        found = found.after((by,), _unread(snapshot))
    return _with_faults(corefile, found)


def _unread(snapshot: Snapshot) -> tuple[Gap, ...]:
    """What of the configuration nobody read; what AKS installs stood in for it."""
    maps = (MAIN, CUSTOM)
    if snapshot.has_seen(ConfigMap.kind, MAIN.namespace) or all(map(snapshot.find, maps)):
        return ()
    look = "kubectl -n kube-system get configmap coredns coredns-custom -o json"
    return (Gap("cluster DNS", "the configuration of CoreDNS", to_open=look),)


def _followed(
    snapshot: Snapshot, cluster: Cluster, course: Course, by: Decider, steps: int
) -> Resolution:
    match course.action:
        case Action.SERVICE:
            return _service_name(snapshot, cluster, course.name, steps)
        case Action.ADDRESS:
            return answered(Verdict.ALLOWED, by, course.addresses)
        case Action.FORWARD:
            return _forwarded(snapshot, cluster, course, by)
        case Action.UNSURE:
            look = f"kubectl exec <pod> -- nslookup {course.name}"
            gap = Gap("cluster DNS", f"what CoreDNS answers for {course.name}", to_open=look)
            return answered(Verdict.UNKNOWN, by, (), gap)
        case Action.MISSING | Action.FAILURE:
            return answered(Verdict.BLOCKED, by)


def _forwarded(snapshot: Snapshot, cluster: Cluster, course: Course, by: Decider) -> Resolution:
    if cluster.dns_address and cluster.dns_address in course.servers:
        says = f"{by.says}, which is CoreDNS itself: the question goes in a circle"
        return answered(Verdict.BLOCKED, by._replace(says=says))
    if _OF_NODE in course.servers:
        return ask_network(snapshot, cluster.network, course.name)
    return ask_servers(snapshot, cluster.network, list(course.servers), course.name)


def _with_faults(corefile: Corefile, found: Resolution) -> Resolution:
    """With a configuration that it refuses, CoreDNS stays on an older one, or does not start."""
    if not corefile.faults:
        return found
    fault = corefile.faults[0]
    name = fault.ref.id.removeprefix("configmap/")
    by = Decider("ConfigMap", name, f"{fault.place} {fault.says}", fault.ref)
    what = "whether CoreDNS runs, and with which configuration, for it refuses this one"
    gap = Gap("cluster DNS", what, to_open=_SEE_DNS)
    return Resolution(Verdict.UNKNOWN, (), by, (by,), (gap,)).after(found.considered, found.gaps)


def _service_name(snapshot: Snapshot, cluster: Cluster, name: str, steps: int) -> Resolution:
    labels = name.removesuffix(ZONE).rstrip(".").split(".")
    match labels:
        case [service, namespace, "svc"]:
            return _service(snapshot, cluster, (namespace, service), steps)
        case [host, service, namespace, "svc"] if not host.startswith("_"):
            return _member(snapshot, namespace, service, host)
        case [dashed, _, "pod"] if parse(dashed.replace("-", ".")):
            address = dashed.replace("-", ".")
            by = Decider("Pod", name, f"is the name of {address}")
            return answered(Verdict.ALLOWED, by, (address,))
    by = Decider("Service", name, f"is no name that a service can have in {ZONE}")
    return answered(Verdict.BLOCKED, by)


def _service(
    snapshot: Snapshot, cluster: Cluster, named: tuple[str, str], steps: int
) -> Resolution:
    namespace, name = named
    found = snapshot.find(kube("Service", namespace, name))
    label = f"{namespace}/{name}"
    if not isinstance(found, Service):
        return _no_service(snapshot, namespace, name)
    external = plain(found.spec.external_name or "")
    if (found.spec.type or "") == "ExternalName" and external:
        by = Decider("Service", label, f"is another name of {external}", found.ref)
        if steps >= _MOST_STEPS:
            return answered(Verdict.BLOCKED, by._replace(says=f"{by.says}, in a circle"))
        return ask_cluster(snapshot, cluster, external, steps + 1).after((by,))
    address = found.spec.cluster_ip or ""
    if address and address != _HEADLESS:
        by = Decider("Service", label, f"has the address {address}", found.ref)
        return answered(Verdict.ALLOWED, by, (address,))
    return _headless(snapshot, found)


def _headless(snapshot: Snapshot, service: Service) -> Resolution:
    label = f"{service.namespace}/{service.name}"
    if not service.spec.selector or not snapshot.has_seen(Pod.kind, service.namespace):
        by = Decider("Service", label, "has no address of its own: those of its pods", service.ref)
        return answered(Verdict.ALLOWED, by)
    everybody = bool(service.spec.publish_not_ready_addresses)
    pods = snapshot.labelled(Pod, service.namespace, service.spec.selector)
    ready = [pod.status.pod_ip for pod in pods if everybody or pod.is_ready]
    addresses = sorted(address for address in ready if address)
    if not addresses:
        says = f"has no address of its own, and none of its {len(pods)} pods is ready"
        return answered(Verdict.BLOCKED, Decider("Service", label, says, service.ref))
    by = Decider("Service", label, f"has the addresses of {len(addresses)} pods", service.ref)
    return answered(Verdict.ALLOWED, by, addresses)


def _member(snapshot: Snapshot, namespace: str, service: str, host: str) -> Resolution:
    pod = snapshot.find(kube("Pod", namespace, host))
    owner = snapshot.find(kube("Service", namespace, service))
    label = f"{namespace}/{host}"
    if isinstance(pod, Pod) and pod.status.pod_ip and isinstance(owner, Service):
        by = Decider("Pod", label, f"has the address {pod.status.pod_ip}", pod.ref)
        return answered(Verdict.ALLOWED, by, (pod.status.pod_ip,))
    if not isinstance(owner, Service):
        return _no_service(snapshot, namespace, service)
    by = Decider("Pod", label, f"is not there, or has no address, for service {service}")
    if snapshot.has_seen(Pod.kind, namespace):
        return answered(Verdict.BLOCKED, by)
    gap = Gap(Pod.kind, f"the pods of namespace {namespace}", to_open=Pod.look)
    return answered(Verdict.UNKNOWN, by, (), gap)


def _no_service(snapshot: Snapshot, namespace: str, name: str) -> Resolution:
    elsewhere = sorted(_namespaces_with(snapshot, name))
    hint = f"; there is one in namespace {', '.join(elsewhere[:3])}" if elsewhere else ""
    says = f"does not exist in namespace {namespace}{hint}"
    by = Decider("Service", f"{namespace}/{name}", says)
    if snapshot.has_seen(Service.kind, namespace):
        return answered(Verdict.BLOCKED, by)
    gap = Gap(Service.kind, f"the services of namespace {namespace}", to_open=Service.look)
    return answered(Verdict.UNKNOWN, by._replace(says="was not read"), (), gap)


def _namespaces_with(snapshot: Snapshot, name: str) -> Iterator[str]:
    for service in snapshot.grouped(Service, "name", name):
        yield service.namespace


def dns_services(snapshot: Snapshot) -> tuple[str, ...]:
    """The addresses at which the DNS of the cluster answers, as far as services tell."""
    found = snapshot.find(kube("Service", "kube-system", "kube-dns"))
    address = found.spec.cluster_ip if isinstance(found, Service) else None
    return (address,) if address else ()


def _map_of(course: Course) -> str:
    is_custom = course.place and not course.place.startswith("Corefile:")
    return f"kube-system/{'coredns-custom' if is_custom else MAIN.name}"
