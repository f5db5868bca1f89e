from sickbay.model.hybrid import HybridCluster, HybridNetwork, ProvisionedCluster
from sickbay.model.ids import arm
from sickbay.model.nexus import (
    CloudServicesNetwork,
    DefaultCniNetwork,
    L2Network,
    L3Network,
    NexusCluster,
    NexusEntity,
    TrunkedNetwork,
)
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


def _judge(
    entity: NexusEntity, site: NexusCluster, wanted: str | None, role: str
) -> Match | Clear | None:
    if not wanted or not entity.custom_location:
        return None
    if arm(wanted) == arm(entity.custom_location):
        return Clear(f"{entity.name} is at {arm(wanted).name}")
    return Match(
        f"{entity.name} is at {arm(entity.custom_location).name}, but site {site.name} wants {role} at {arm(wanted).name}",
        facts={"location_id": wanted, "site": site.name, "site_group": site.ref.group},
        cites=(
            entity.cite("extendedLocation.name", entity.custom_location),
            site.cite("properties", wanted),
        ),
    )


def _of_network(network: NexusEntity, snapshot: Snapshot) -> Match | Clear | None:
    if not network.cluster_id:
        return None
    site = snapshot.get(arm(network.cluster_id), NexusCluster)
    if site is None or site.cluster_extended_location is None:
        return None
    return _judge(network, site, site.cluster_extended_location.name, "networks")


def _site_below(entity: HybridCluster | HybridNetwork, snapshot: Snapshot) -> NexusCluster | None:
    """The site whose networks the entity uses, as far as they are in evidence."""
    ids = [entity.network_id] if isinstance(entity, HybridNetwork) else entity.network_ids
    for id in ids:
        part = snapshot.find(arm(id)) if id else None
        if isinstance(part, HybridNetwork):
            part = snapshot.find(arm(part.network_id))
        site = (
            snapshot.find(arm(part.cluster_id))
            if isinstance(part, NexusEntity) and part.cluster_id
            else None
        )
        if isinstance(site, NexusCluster):
            return site
    return None


def _of_hybrid(entity: HybridCluster | HybridNetwork, snapshot: Snapshot) -> Match | Clear | None:
    """The location must be the one for AKS hybrid of its site; a site's other one gives the site away."""
    if not entity.custom_location:
        return None
    here = arm(entity.custom_location)
    sites = sorted(snapshot.some(NexusCluster), key=lambda one: one.ref)
    below = _site_below(entity, snapshot)
    for site in [below] if below else sites:
        own, hybrid = site.cluster_extended_location, site.hybrid_aks_extended_location
        if not hybrid or not hybrid.name:
            continue
        is_own = own is not None and arm(own.name or "") == here
        if below or is_own or arm(hybrid.name) == here:
            return _judge(entity, site, hybrid.name, "AKS hybrid resources")
    return None


@each(ProvisionedCluster)
def hybrid_cluster_is_elsewhere(
    cluster: ProvisionedCluster, snapshot: Snapshot
) -> Match | Clear | None:
    return _of_hybrid(cluster, snapshot)


@each(HybridNetwork)
def hybrid_network_is_elsewhere(vnet: HybridNetwork, snapshot: Snapshot) -> Match | Clear | None:
    return _of_hybrid(vnet, snapshot)


@each(DefaultCniNetwork)
def default_cni_network_is_elsewhere(
    network: DefaultCniNetwork, snapshot: Snapshot
) -> Match | Clear | None:
    return _of_network(network, snapshot)


@each(CloudServicesNetwork)
def cloud_services_network_is_elsewhere(
    network: CloudServicesNetwork, snapshot: Snapshot
) -> Match | Clear | None:
    return _of_network(network, snapshot)


@each(L3Network)
def l3_network_is_elsewhere(network: L3Network, snapshot: Snapshot) -> Match | Clear | None:
    return _of_network(network, snapshot)


@each(L2Network)
def l2_network_is_elsewhere(network: L2Network, snapshot: Snapshot) -> Match | Clear | None:
    return _of_network(network, snapshot)


@each(TrunkedNetwork)
def trunked_network_is_elsewhere(
    network: TrunkedNetwork, snapshot: Snapshot
) -> Match | Clear | None:
    return _of_network(network, snapshot)


RULE = Rule(
    title="A resource was created at the wrong extended location of the Nexus site",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        hybrid_cluster_is_elsewhere,
        hybrid_network_is_elsewhere,
        default_cni_network_is_elsewhere,
        cloud_services_network_is_elsewhere,
        l3_network_is_elsewhere,
        l2_network_is_elsewhere,
        trunked_network_is_elsewhere,
    ),
    why="A Nexus site has two custom locations: networks belong to its clusterExtendedLocation, AKS hybrid clusters and virtual networks to its hybridAksExtendedLocation. At the other one no operator picks the resource up, so it never comes up.",
    remedy=(
        Step(
            "Read both locations from the site.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "show",
                "-g",
                "{site_group}",
                "-n",
                "{site}",
                "--query",
                "{hybrid:hybridAksExtendedLocation.name,networks:clusterExtendedLocation.name}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the resource; its location cannot be changed.",
            run=("az", "resource", "delete", "--ids", "{subject}"),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Create it again at {location_id}.",
            verify="az resource show --ids {subject} wants extendedLocation.name {location_id}",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=("nexus.network_failed", "hybrid.cluster_failed", "hybrid.agent_never_reported"),
)
