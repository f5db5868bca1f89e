from sickbay.model.aks import ManagedCluster
from sickbay.model.kubernetes import Node
from sickbay.model.registries import only_cluster
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import parse
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

# What a node reserves of the pod CIDR.
_BLOCK = 24


@each(ManagedCluster)
def has_more_nodes_than_blocks(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    profile = cluster.network_profile
    words = (profile.network_plugin, profile.network_plugin_mode) if profile else ()
    is_cut_up = {(word or "").casefold() for word in words} & {"overlay", "kubenet"}
    cidr = parse((profile and profile.pod_cidr) or "")
    if not is_cut_up or cidr is None or cidr.length > _BLOCK or only_cluster(snapshot) != cluster:
        return None
    nodes, blocks = snapshot.all(Node), 1 << (_BLOCK - cidr.length)
    spelled = profile.pod_cidr if profile else ""
    if len(nodes) <= blocks:
        return Clear(f"{spelled} has {blocks} blocks of /{_BLOCK} for {len(nodes)} nodes")
    unwell = [node for node in nodes if node.is_unwell]
    if not unwell:
        return None
    return Match(
        f"{spelled} has {blocks} blocks of /{_BLOCK} for {len(nodes)} nodes, and {unwell[0].name} is not ready",
        cites=(cluster.cite("properties.networkProfile.podCidr", spelled),),
    )


RULE = Rule(
    title="The pod CIDR of an overlay cluster is exhausted, so new nodes get no addresses for pods",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.SCALING),
    detect=(
        has_more_nodes_than_blocks,
        Signature(
            pattern=r"primaryIP is nil, failed to allocate address|(?i:overlay.{0,80}?(?:CIDR|subnet).{0,40}?(?:exhausted|full))|SubnetIsFull.{0,200}?overlay|CIDRNotAvailable|No (?:more )?CIDRs? available|failed to allocate (?:pod )?cidr from range|cidrset: there are no remaining CIDRs",
            says="no block of the pod CIDR is left for a node",
            sample='"primaryIP is nil, failed to allocate address for request"',
            near_miss="primaryIP is 10.244.7.1, allocated address for request",
        ),
    ),
    why="Every overlay (or kubenet) node reserves a /24 of the pod CIDR; with a /16 that is 256 nodes, and nodes beyond it stay NotReady without a pod subnet of their own.",
    remedy=(
        Step(
            "Compare the pod CIDR with the number of nodes.",
            run=(
                "az",
                "aks",
                "show",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--query",
                "networkProfile.podCidr",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Widen the pod CIDR (overlay allows expansion to a larger range that contains the old one).",
            run=(
                "az",
                "aks",
                "update",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--pod-cidr",
                "<larger-cidr>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants Ready for the new nodes",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/azure-cni-overlay",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-node-auto-provision",
    ),
    leads_to=(
        "kubernetes.cni_not_ready",
        "kubernetes.node_not_ready",
        "kubernetes.cni_addresses_exhausted",
        "kubernetes.container_creating_stuck",
    ),
    ask="az aks show --resource-group {resource_group} --name {cluster} --query networkProfile.podCidr",
)
