from sickbay.model.azure import VirtualNetworkPeering
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.network.egress_barriers import ROUTES, barrier_at
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(VirtualNetworkPeering)
def cuts_the_way_out(peering: VirtualNetworkPeering, snapshot: Snapshot) -> Match | Clear | None:
    if not peering.is_unwell:
        return None
    found = barrier_at(snapshot, peering.ref, ROUTES)
    if found is None:
        return Clear(f"no node needs peering {peering.name}")
    remote = arm(peering.remote_id)
    return Match(
        f"{found.says}: the nodes of {found.cluster.name} do not reach {found.listed}",
        facts={
            "peering": peering.name,
            "network": arm(peering.ref.parent).name,
            "remote": remote.name,
            "remote_group": remote.group,
            "remote_id": peering.remote_id,
            "state": peering.peering_state or "",
        },
        cites=(peering.cite("peeringState", peering.peering_state),),
    )


RULE = Rule(
    title="The peering to the hub is not Connected, so the nodes do not reach their firewall",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(cuts_the_way_out,),
    why="The default route of the node subnet leads to an appliance in another virtual network. A peering works only while both of its sides exist: Disconnected means that the other side was deleted, Initiated that it was never made. Packets to the appliance then have no way and are dropped.",
    remedy=(
        Step(
            "See the peerings of the hub: the side that leads back is missing there.",
            run=(
                "az",
                "network",
                "vnet",
                "peering",
                "list",
                "-g",
                "{remote_group}",
                "--vnet-name",
                "{remote}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "A side that is Disconnected cannot be mended: delete it.",
            run=(
                "az",
                "network",
                "vnet",
                "peering",
                "delete",
                "-g",
                "{resource_group}",
                "--vnet-name",
                "{network}",
                "-n",
                "{peering}",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Make it again, and the one in the hub that leads back.",
            run=(
                "az",
                "network",
                "vnet",
                "peering",
                "create",
                "-g",
                "{resource_group}",
                "--vnet-name",
                "{network}",
                "-n",
                "{peering}",
                "--remote-vnet",
                "{remote_id}",
                "--allow-vnet-access",
                "--allow-forwarded-traffic",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az network vnet peering show -g {resource_group} --vnet-name {network} -n {peering} --query peeringState wants Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/virtual-network/virtual-network-troubleshoot-peering-issues",
    ),
    leads_to=(
        "network.api_timeout",
        "network.konnectivity_cut_off",
        "aks.outbound_blocked",
        "aks.node_cannot_reach_api",
        "kubernetes.registry_unreachable",
        "kubernetes.kubelet_silent",
    ),
    ask="az network vnet peering list -g {resource_group} --vnet-name <vnet> -o json",
    spreads=True,
)
