from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import Subnet
from sickbay.model.capacity import addresses_at_most
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import AZURE_RESERVED, usable
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


def length_for(addresses: int) -> int:
    """The longest prefix whose subnet has room for so many, next to those that Azure keeps."""
    return 32 - (addresses + AZURE_RESERVED - 1).bit_length()


@each(AgentPool)
def has_no_room(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:
    if not pool.vnet_subnet_id or pool.is_stopped:
        return None
    cluster = snapshot.get(arm(pool.ref.parent), ManagedCluster)
    subnet = snapshot.get(arm(pool.vnet_subnet_id), Subnet)
    if cluster is None or subnet is None:
        return None
    room = sum(usable(prefix) for prefix in subnet.prefixes if ":" not in prefix)
    used = len(subnet.ip_configurations or ())
    if not room or (not used and pool.count and not pool.is_unwell):
        # Nodes run in it, yet no address is listed: the list was left out.
        raise UnseenError(Gap(Subnet.kind, f"addresses used in {subnet.name}", to_open=Subnet.look))
    each_node = pool.addresses_of_node(cluster.network_profile)
    nodes = max(1, pool.surge)
    arithmetic = (
        f"{subnet.name} ({', '.join(subnet.prefixes)}) has {room} usable addresses, {used} are used, {room - used} are free; "
        f"{nodes} more of {pool.name} x {each_node} need {nodes * each_node}"
    )
    if room - used >= nodes * each_node:
        return Clear(arithmetic)
    if not (pool.is_unwell or cluster.is_unwell):
        return None
    most = addresses_at_most(subnet, cluster, snapshot)
    return Match(
        arithmetic,
        facts={
            "subnet_id": subnet.id,
            "most": str(most),
            "length": str(length_for(most)),
        },
        cites=(
            subnet.cite("properties.ipConfigurations", f"{used} of {room}"),
            pool.cite("properties.vnetSubnetID", pool.vnet_subnet_id),
        ),
        weight=TYPICAL if room - used >= each_node else None,
    )


RULE = Rule(
    title="The subnet of the node pool has no free IP addresses for more nodes (SubnetIsFull)",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.UPGRADE, Category.CREATION),
    detect=(
        has_no_room,
        Signature(
            pattern=r"(?i)\bSubnetIsFull\b|Subnet '?(?P<subnet>[\w.<>-]+)'? with address prefix '?(?P<prefix>[\w./<>:-]+)'? (?:does not|doesn't) have enough capacity(?: for (?P<wanted>\d+) IP)?|(?:does not|doesn't) have enough capacity for \d+ IP address|with address prefix .{0,40}?(?:does not|doesn't) have enough capacity for (?:\d+ )?IP addresses",
            says="the subnet[ {subnet}][ ({prefix})] has no room for the[ {wanted}] addresses that were asked for",
            sample="Code='SubnetIsFull' Message='Subnet aks-nodes with address prefix 10.240.0.0/24 does not have enough capacity for 31 IP addresses.'",
            near_miss="Subnet aks-nodes with address prefix 10.240.0.0/16 has enough capacity for 31 IP addresses",
        ),
        Signature(
            pattern=r"(?i)\bInsufficientPodCidr\b|\bInsufficientSubnetSize\b|Pre-allocated IPs? (?P<needed>\d+) exceeds IPs? available (?:(?P<free>\d+) )?in (?:the )?subnet|(?:insufficient|not enough) (?:ip )?address(?:es)? .{0,40}?(?:in|left in) (?:the )?subnet|subnet .{0,100}?(?:is too small|not large enough|does not have enough (?:free )?(?:ip )?address)",
            says="the subnet is too small for what was asked for",
            sample="InsufficientSubnetSize: Pre-allocated IPs 930 exceeds IPs available 251 in Subnet Cidr 10.240.0.0/24, Subnet Name aks-nodes. If Autoscaler is enabled, the max-count from each nodepool is counted towards this total.",
            near_miss="Pre-allocated IPs 93 fit the IPs available 251 in Subnet Cidr 10.240.0.0/24",
        ),
    ),
    why="A subnet keeps five addresses for Azure, and every node takes one; with Azure CNI without overlay each node takes one more for each pod that it may run. Surge nodes of an upgrade and the autoscaler's maximum count as well. When the rest is not enough, Azure answers `SubnetIsFull` or `InsufficientSubnetSize`.",
    remedy=(
        Step(
            "See the prefix of the subnet and how many addresses are taken.",
            run=("az", "network", "vnet", "subnet", "show", "--ids", "{subnet_id}", "-o", "json"),
            risk=Risk.READ,
        ),
        Step(
            "As a quick measure free addresses: remove idle nodes or other machines from the subnet, or lower max surge and the autoscaler's maximum.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "For good, add a pool in a larger subnet[ (all nodes that the pools may have, one surge step and what else is there take {most} addresses: a /{length} would do)], move the workload there and delete this pool.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<new-pool>",
                "--vnet-subnet-id",
                "<larger-subnet-id>",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/subnetisfull-error",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/insufficientsubnetsize-error-advanced-networking",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.scale_up_failed",
        "aks.pool_failed",
        "kubernetes.cni_addresses_exhausted",
    ),
)
