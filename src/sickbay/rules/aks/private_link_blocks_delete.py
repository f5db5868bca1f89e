from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A private link service with endpoint connections keeps the load balancer from being deleted",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"\b(?:CannotDeleteLoadBalancerWithPrivateLinkService|PrivateLinkServiceWithPrivateEndpointConnectionsCannotBeDeleted)\b|(?i:referenced by private link service (?P<service>\S+))|(?i:private link service (?P<held>\S+) cannot be deleted since it has)",
            says="a private link service is still in use",
            sample="CannotDeleteLoadBalancerWithPrivateLinkService: Cannot delete load balancer /subscriptions/s/resourceGroups/MC_rg_shop/providers/Microsoft.Network/loadBalancers/kubernetes-internal since it is referenced by private link service /subscriptions/s/resourceGroups/MC_rg_shop/providers/Microsoft.Network/privateLinkServices/pls. Please delete private link service prior to deleting load balancer.",
            near_miss="Private link service pls was deleted together with its load balancer",
        ),
    ),
    why="A private link service on the internal load balancer of the cluster still has private endpoints behind it. Azure deletes neither the service nor the load balancer under it before the connections are gone (`CannotDeleteLoadBalancerWithPrivateLinkService`, `PrivateLinkServiceWithPrivateEndpointConnectionsCannotBeDeleted`).",
    remedy=(
        Step(
            "See the connections of the private link services.",
            run=(
                "az",
                "network",
                "private-link-service",
                "list",
                "-g",
                "{node_resource_group}",
                "--query",
                "[].{name:name,connections:privateEndpointConnections[].id}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete each connection.",
            run=(
                "az",
                "network",
                "private-endpoint-connection",
                "delete",
                "--id",
                "<connection-id>",
                "--yes",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Delete the private link service.",
            run=(
                "az",
                "network",
                "private-link-service",
                "delete",
                "-g",
                "{node_resource_group}",
                "-n",
                "<private-link-service>",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="az network private-link-service list -g {node_resource_group} wants []",
        ),
        Step("Delete the cluster again."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/lb-pvtlinksvcwithpvtendptconn-error",
    ),
    leads_to=(
        "aks.delete_blocked",
        "aks.operation_failed",
    ),
    ask="az network private-link-service list -g {node_resource_group} -o json",
)
