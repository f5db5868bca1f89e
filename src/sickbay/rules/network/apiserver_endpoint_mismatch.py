from sickbay.model.aks import ManagedCluster
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.exposure import EndpointSlice
from sickbay.model.ids import arm
from sickbay.model.naming import PrivateEndpoint
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.names_endpoints import addresses_of
from sickbay.network.services_apiserver import decide
from sickbay.network.services_backends import Backend, holding
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

NAMES = ("kubernetes", "kubernetes-internal")


@each(Service)
def leads_elsewhere(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    if service.namespace != "default" or service.name not in NAMES:
        return None
    clusters = snapshot.some(ManagedCluster)
    held = holding(snapshot, service)
    if held is None:
        snapshot.require(EndpointSlice, service.namespace)
    addresses = held.addresses if held else ()
    backends = [Backend(None, one.address, 443, "", one.is_ready) for one in addresses]
    decision = decide(snapshot, service, backends)
    if decision is None:
        if len(clusters) == 1 and clusters[0].is_private and backends:
            what = f"the private endpoint of {clusters[0].name}"
            raise UnseenError(Gap(PrivateEndpoint.kind, what, to_open=PrivateEndpoint.look))
        return Clear(f"{service.name} is not that of one private cluster")
    by = decision.by[0]
    if decision.passes or _is_known(snapshot, clusters[0], {one.address for one in backends}):
        return Clear(f"{by.name} {by.says}")
    return Match(
        f"service {by.name} {by.says}",
        facts={"service": service.name, "addresses": ", ".join(one.address for one in backends)},
        cites=(service.cite("endpoints", ", ".join(one.address for one in backends)),),
    )


def _is_known(snapshot: Snapshot, cluster: ManagedCluster, addresses: set[str]) -> bool:
    """Whether any endpoint that leads to the cluster has one of the addresses."""
    found = snapshot.grouped(PrivateEndpoint, "kind", PrivateEndpoint.kind)
    return any(
        addresses & set(addresses_of(snapshot, endpoint))
        for endpoint in found
        if any(
            arm(one.private_link_service_id or "") == cluster.ref for one in endpoint.connections
        )
    )


RULE = Rule(
    title="The service `kubernetes` leads pods to an address that is not the API server's",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(leads_elsewhere,),
    why="Pods reach the API server through the service `kubernetes` in the namespace default, whose endpoints the API server itself writes. If they name another address than that of its private endpoint or subnet, every pod that asks the API, CoreDNS and operators among them, talks to nobody.",
    remedy=(
        Step(
            "See what the service leads to.",
            run=("kubectl", "get", "endpointslices", "-n", "default", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Reconcile the cluster, so that AKS writes its endpoints anew; if they stay, open a support request.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get endpointslices -n default wants the address of the private endpoint",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/architecture/operator-guides/aks/troubleshoot-network-aks",
        "https://learn.microsoft.com/azure/aks/private-clusters",
    ),
    leads_to=("network.api_timeout",),
    ask="kubectl get endpointslices -n default -o json",
    spreads=True,
)
