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
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


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


def network_is_elsewhere(network: NexusEntity, snapshot: Snapshot) -> Match | Clear | None:
    if not network.cluster_id:
        return None
    site = snapshot.get(arm(network.cluster_id), NexusCluster)
    if site is None or site.cluster_extended_location is None:
        return None
    return _judge(network, site, site.cluster_extended_location.name, "networks")


def hybrid_resource_is_elsewhere(
    entity: HybridCluster | HybridNetwork, snapshot: Snapshot
) -> Match | Clear | None:
    """The location must be the one for AKS hybrid of its site; a site's other one gives the site away."""
    if not entity.custom_location:
        return None
    here = arm(entity.custom_location)
    sites = sorted(snapshot.some(NexusCluster), key=lambda one: one.ref)
    below = entity.site(snapshot)
    for site in [below] if below else sites:
        own, hybrid = site.cluster_extended_location, site.hybrid_aks_extended_location
        if not hybrid or not hybrid.name:
            continue
        is_own = own is not None and arm(own.name or "") == here
        if below or is_own or arm(hybrid.name) == here:
            return _judge(entity, site, hybrid.name, "AKS hybrid resources")
    return None


RULE = Rule(
    title="A resource was created at the wrong extended location of the Nexus site",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        each(ProvisionedCluster)(hybrid_resource_is_elsewhere),
        each(HybridNetwork)(hybrid_resource_is_elsewhere),
        each(DefaultCniNetwork)(network_is_elsewhere),
        each(CloudServicesNetwork)(network_is_elsewhere),
        each(L3Network)(network_is_elsewhere),
        each(L2Network)(network_is_elsewhere),
        each(TrunkedNetwork)(network_is_elsewhere),
        Signature(
            pattern=r"\bMissingAzureKubernetesMapping\b.{0,600}?does not support resource type 'Microsoft\.(?:NetworkCloud|HybridContainerService)/(?P<type>[\w/]+)|(?i:\b(?:extended|custom) ?-?locations?\b.{0,260}?(?:(?:is|was) (?:not valid|invalid|not supported|not allowed|wrong|unsupported)|(?:does not|doesn't) (?:support|match|belong)|not enabled for|cannot be used|can't be used|mismatch|must (?:be|match)).{0,160}?\b(?:Microsoft\.NetworkCloud/?(?P<kind>\w*)|networkcloud|hybrid ?aks|Microsoft\.HybridContainerService|l[23] ?networks?|cloud ?services ?networks?|default ?cni ?networks?|trunked ?networks?|nexus)|\b(?:Microsoft\.NetworkCloud|hybrid ?aks|l[23] ?networks?|cloud ?services ?networks?|default ?cni ?networks?|trunked ?networks?)\b.{0,200}?\b(?:extended|custom) ?-?location\b.{0,120}?(?:(?:is|was) (?:not valid|invalid|not supported|wrong)|(?:does not|doesn't) (?:support|match|belong|exist)|mismatch))",
            says="the custom location that was given does not serve this kind of resource[ ({type})]",
            sample="(MissingAzureKubernetesMapping) The cluster extension '/subscriptions/0b1f6471-1bf0-4dda-aec3-111122223333/resourceGroups/site-rg/providers/Microsoft.Kubernetes/connectedClusters/site1/providers/Microsoft.KubernetesConfiguration/extensions/nc-cluster-extension' does not support resource type 'Microsoft.NetworkCloud/clusters/metricsConfigurations'",
            near_miss="The cluster extension 'nc-cluster-extension' supports resource type 'Microsoft.NetworkCloud/clusters/metricsConfigurations'",
            weight=TYPICAL,
        ),
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
    leads_to=(
        "nexus.network_failed",
        "hybrid.vnet_failed",
        "hybrid.cluster_failed",
        "hybrid.agent_never_reported",
    ),
)
