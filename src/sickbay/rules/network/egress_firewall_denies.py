from sickbay.model.azure import Subnet
from sickbay.model.ids import arm
from sickbay.model.routing import AzureFirewall, RuleCollectionGroup
from sickbay.model.snapshot import Snapshot
from sickbay.network.egress_barriers import FIREWALL, ROUTES, barrier_at
from sickbay.rulekit import Category, Cite, Clear, Match, Risk, Rule, Severity, Step, each


@each(AzureFirewall)
def denies_required(firewall: AzureFirewall, snapshot: Snapshot) -> Match | Clear:
    found = barrier_at(snapshot, firewall.ref, FIREWALL, ROUTES)
    if found is None:
        return Clear(f"{firewall.name} lets nodes reach what AKS requires")
    policy = arm((firewall.firewall_policy and firewall.firewall_policy.id) or "")
    subnet = snapshot.find(arm(found.subnet))
    prefixes = subnet.prefixes if isinstance(subnet, Subnet) else []
    groups = snapshot.grouped(RuleCollectionGroup, "parent_key", policy.key)
    return Match(
        f"{found.says}; so it keeps the nodes of {found.cluster.name} from {found.listed}",
        facts={
            "firewall": firewall.name,
            "policy": policy.name,
            "policy_group": policy.group,
            "rules": min((one.name or one.ref.name for one in groups), default=""),
            "source": next(iter(prefixes), "*"),
            "endpoint": found.endpoints[0].example,
            "port": str(found.endpoints[0].port),
        },
        cites=(Cite(found.by[0].ref or firewall.ref, "", found.says),),
    )


RULE = Rule(
    title="Azure Firewall denies endpoints that AKS nodes require",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES, Category.CREATION),
    detect=(denies_required,),
    why="The default route of the node subnet leads to the firewall, which denies whatever none of its rules allows, and asks network rules before application rules. Nodes need the API server, mcr.microsoft.com with its data endpoints, management.azure.com, login.microsoftonline.com and the package servers; the FQDN tag AzureKubernetesService stands for all of them.",
    remedy=(
        Step(
            "See the rules of the firewall's policy.",
            run=(
                "az",
                "network",
                "firewall",
                "policy",
                "rule-collection-group",
                "list",
                "-g",
                "{policy_group}",
                "--policy-name",
                "{policy}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow what AKS requires by its FQDN tag in the policy; a deny rule that matches earlier must go or come later.",
            run=(
                "az",
                "network",
                "firewall",
                "policy",
                "rule-collection-group",
                "collection",
                "add-filter-collection",
                "-g",
                "{policy_group}",
                "--policy-name",
                "{policy}",
                "--rule-collection-group-name",
                "{rules}",
                "-n",
                "aks-egress",
                "--collection-priority",
                "110",
                "--action",
                "Allow",
                "--rule-type",
                "ApplicationRule",
                "--rule-name",
                "aks",
                "--source-addresses",
                "{source}",
                "--protocols",
                "Https=443",
                "--fqdn-tags",
                "AzureKubernetesService",
            ),
            risk=Risk.DISRUPTIVE,
            verify="curl -sI https://{endpoint}:{port} on a node wants an answer",
        ),
        Step(
            "In a firewall that has rules of its own instead of a policy, add the same with az network firewall application-rule create -g {resource_group} -f {firewall}."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/limit-egress-traffic",
        "https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",
    ),
    leads_to=(
        "network.api_timeout",
        "network.konnectivity_cut_off",
        "aks.outbound_blocked",
        "aks.node_cannot_reach_api",
        "aks.egress_denied",
        "aks.bootstrap_download_failed",
        "kubernetes.registry_unreachable",
        "kubernetes.kubelet_silent",
    ),
    ask="az network firewall list -o json",
    spreads=True,
)
