from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The network is already linked to another private DNS zone of the same name",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"\bCreateOrUpdateVirtualNetworkLinkFailed\b|cannot be linked to multiple zones with overlapping namespaces",
            says="a second private DNS zone of the same name is linked to the virtual network",
            sample="Code: CreateOrUpdateVirtualNetworkLinkFailed - SubCode: BadRequest Message: A virtual network cannot be linked to multiple zones with overlapping namespaces. You tried to link virtual network with 'a.privatelink.westeurope.azmk8s.io' and 'a.privatelink.westeurope.azmk8s.io' zones.",
            near_miss="The virtual network link was created: the zones do not overlap",
        ),
    ),
    why="A virtual network link leads to one private DNS zone for each name. The network of the cluster is linked to a zone of the same name in another resource group, so AKS cannot restore the link to its own zone.",
    remedy=(
        Step(
            "Find the zones of that name.",
            run=(
                "az",
                "network",
                "private-dns",
                "zone",
                "list",
                "--query",
                "[?contains(name,'azmk8s.io')].{name:name,group:resourceGroup}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the link of the zone that is not the cluster's.",
            run=(
                "az",
                "network",
                "private-dns",
                "link",
                "vnet",
                "delete",
                "-g",
                "<group>",
                "--zone-name",
                "<zone>",
                "-n",
                "<link>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="nslookup <private-fqdn> wants the API server's address",
        ),
        Step(
            "Reconcile the cluster.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/createorupdatevirtualnetworklinkfailed-error",
    ),
    leads_to=("aks.operation_failed", "aks.private_dns_failed"),
    ask="az network private-dns zone list -o json",
)
