from sickbay.model.security import NetworkSecurityGroup, SecurityRule
from sickbay.model.snapshot import Snapshot
from sickbay.network.egress_barriers import GROUPS, barrier_at
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

HIGHEST = 100


@each(NetworkSecurityGroup)
def denies_required(group: NetworkSecurityGroup, snapshot: Snapshot) -> Match | Clear:
    found = barrier_at(snapshot, group.ref, GROUPS)
    if found is None:
        return Clear(f"{group.name} lets nodes reach what AKS requires")
    deciding = found.by[0]
    rule = snapshot.find(deciding.ref) if deciding.ref else None
    own = rule if isinstance(rule, SecurityRule) else None
    destination = own and (own.destination_address_prefix or own.destination_address_prefixes)
    return Match(
        f"{found.says}, which keeps the nodes of {found.cluster.name} from {found.listed}",
        facts={
            "group": group.name,
            "rule": deciding.name.rpartition("/")[2],
            "priority": _free(group, own),
            "destination": found.destination,
            "port": str(found.endpoints[0].port),
            "protocol": found.endpoints[0].protocol.capitalize(),
            "endpoint": found.endpoints[0].example,
        },
        cites=((own or group).cite("destinationAddressPrefix", destination or deciding.says),),
    )


def _free(group: NetworkSecurityGroup, rule: SecurityRule | None) -> str:
    """The nearest number above a rule that no other outbound rule has, or an empty string."""
    taken = {
        one.priority
        for one in group.security_rules or ()
        if one.priority and (one.direction or "").casefold() == "outbound"
    }
    below = min((rule and rule.priority) or 4097, 4097) - 1
    return next((str(n) for n in range(below, HIGHEST - 1, -1) if n not in taken), "")


RULE = Rule(
    title="A network security group denies the outbound traffic that AKS nodes require",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES, Category.CREATION),
    detect=(denies_required,),
    why="Every packet that a node sends meets the network security groups (NSG) of its interface and its subnet. A deny rule that comes before the allowance for the API server, the registry mcr.microsoft.com, Azure Resource Manager or the sign-in drops it without an answer, so that nodes do not bootstrap, do not register and pull no images. A group cannot hold names: it must allow service tags or addresses on port 443.",
    remedy=(
        Step(
            "See the outbound rules in the order in which Azure asks them.",
            run=(
                "az",
                "network",
                "nsg",
                "rule",
                "list",
                "-g",
                "{resource_group}",
                "--nsg-name",
                "{group}",
                "--include-default",
                "--query",
                "sort_by([?direction=='Outbound'],&priority)",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the traffic ahead of {rule}; if no number above it is free, give {rule} a higher one first.",
            run=(
                "az",
                "network",
                "nsg",
                "rule",
                "create",
                "-g",
                "{resource_group}",
                "--nsg-name",
                "{group}",
                "-n",
                "AllowAksEgress",
                "--direction",
                "Outbound",
                "--access",
                "Allow",
                "--priority",
                "{priority}",
                "--protocol",
                "{protocol}",
                "--source-address-prefixes",
                "VirtualNetwork",
                "--destination-address-prefixes",
                "{destination}",
                "--destination-port-ranges",
                "{port}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="nc -vz {endpoint} {port} on a node wants: succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/custom-nsg-blocks-traffic",
    ),
    leads_to=(
        "network.api_timeout",
        "network.konnectivity_cut_off",
        "aks.outbound_blocked",
        "aks.node_cannot_reach_api",
        "aks.bootstrap_download_failed",
        "kubernetes.registry_unreachable",
        "kubernetes.kubelet_silent",
    ),
    ask="az network nsg list -o json",
    spreads=True,
)
