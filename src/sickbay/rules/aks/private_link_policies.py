from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The subnet applies network policies to private endpoints or link services, so none can be placed in it",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"\bPrivate(?:Endpoint|LinkService)CannotBeCreatedInSubnetThatHasNetworkPoliciesEnabled\b|\bPrivate(?:Endpoint|LinkService)NetworkPolic(?:y|ies)CannotBeEnabled\w*|(?i:private (?:endpoint|link service) network polic(?:y|ies) .{0,80}?(?:disabled|cannot be enabled))",
            says="network policies of the subnet are in the way",
            sample="PrivateLinkServiceCannotBeCreatedInSubnetThatHasNetworkPoliciesEnabled: Private link service cannot be created in a subnet that has private link service network policies enabled.",
            near_miss="The private link service was created in the subnet",
        ),
    ),
    why="A private link service takes its addresses only from a subnet whose privateLinkServiceNetworkPolicies are disabled; older private endpoints want the same of privateEndpointNetworkPolicies. A private AKS cluster or a service with a private link makes one in the node subnet.",
    remedy=(
        Step(
            "See the settings of the subnet.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "show",
                "--ids",
                "<subnet-id>",
                "--query",
                "[privateLinkServiceNetworkPolicies,privateEndpointNetworkPolicies]",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Disable them.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "update",
                "--ids",
                "<subnet-id>",
                "--private-link-service-network-policies",
                "Disabled",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/private-link/disable-private-link-service-network-policy",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.request_refused",
    ),
    ask="az network vnet subnet show --ids <subnet-id> -o json",
)
