from sickbay.model.security import NetworkSecurityGroup
from sickbay.model.snapshot import Snapshot
from sickbay.network.neighbours import free_priority, parted, parted_from_system, subnets_under
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(NetworkSecurityGroup)
def denies_neighbours(group: NetworkSecurityGroup, snapshot: Snapshot) -> Match | Clear | None:
    subnets = subnets_under(snapshot, group)
    for subnet in subnets:
        found = parted(snapshot, subnet) or parted_from_system(snapshot, subnet)
        if found is None:
            continue
        rule = found.by.name.rpartition("/")[2]
        return Match(
            f"{found.by.name} {found.by.says}, so {found.says}",
            facts={
                "group": group.name,
                "rule": rule,
                "direction": found.way,
                "prefix": found.other_prefix or found.prefix,
                "target": found.prefix,
                "priority": free_priority(group, found.way, rule),
            },
            cites=(group.cite("securityRules", found.by.says),),
        )
    return Clear(f"{group.name} lets the nodes of a subnet reach each other") if subnets else None


RULE = Rule(
    title="A network security group keeps the nodes of a cluster from reaching each other",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(denies_neighbours,),
    why="Packets between two nodes meet the security group of their subnet twice, going out and coming in. A rule that denies everything comes before the default rule AllowVnetInBound, so that kubelets, CoreDNS, webhooks and pods on other nodes are cut off while each node by itself looks well.",
    remedy=(
        Step(
            "See the rules in the order in which Azure asks them.",
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
                "sort_by([?direction=='{direction}'],&priority)",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the nodes to reach each other ahead of {rule}; in an overlay network allow the range of the pods as well.",
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
                "AllowNodes{direction}",
                "--direction",
                "{direction}",
                "--access",
                "Allow",
                "--priority",
                "{priority}",
                "--protocol",
                "*",
                "--source-address-prefixes",
                "{prefix}",
                "--destination-address-prefixes",
                "{target}",
                "--destination-port-ranges",
                "*",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl logs of a pod on another node answers",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/custom-nsg-blocks-traffic",
        "https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-overlay",
    ),
    leads_to=(
        "network.kubelet_unreachable",
        "network.connection_times_out",
        "network.dns_server_silent",
        "kubernetes.webhook_down",
        "kubernetes.conversion_webhook_down",
    ),
    ask="az network nsg list -o json",
)
