from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Arc gateway cannot be used: its id is wrong, it is not accessible, or HybridCompute is not registered",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S0106\b|InvalidGatewayArmId",
            says="the gateway is not usable",
            sample="[AZK8S0106] InvalidGatewayArmId: The supplied Gateway ARM resource ID is invalid. /subscriptions/1/resourceGroups/rg/providers/Microsoft.HybridCompute/gateway/gw1",
            near_miss="Gateway /subscriptions/1/resourceGroups/rg/providers/Microsoft.HybridCompute/gateways/gw1 was associated",
        ),
        Signature(
            pattern=r"(?i)gateway (?:ARM )?(?:resource )?id .{0,60}?(?:is )?(?:invalid|not valid|does not exist)|(?:connectedk8s|arcappliance|arc gateway|gateway-resource-id).{0,200}?Microsoft\.HybridCompute/gateways/(?P<gateway>[\w.-]+).{0,200}?(?:not found|was not found|not authorized|AuthorizationFailed|does not have authorization|invalid)|(?:ResourceNotFound|AuthorizationFailed).{0,300}?Microsoft\.HybridCompute/gateways",
            says="the gateway is not usable",
            sample="az connectedk8s connect: the gateway resource id gw1 does not exist",
            near_miss="az connectedk8s connect: the gateway resource id gw1 is used",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)Failed to (?:create gateway-cluster association|associate gateway with connected cluster)|Failed to update (?:the )?connected cluster resource with gateway configuration|Error occurred while associating gateway with connected cluster",
            says="the gateway was not associated with the cluster",
            sample="Failed to associate gateway with connected cluster. Please ensure that the gateway resource is valid and accessible, then try again.",
            near_miss="Step: Associating Gateway with the Connected Cluster",
        ),
    ),
    why="Onboarding with --gateway-resource-id associates the cluster with a Microsoft.HybridCompute/gateways resource. A wrong id, a gateway that was deleted, missing read rights on it, or a subscription in which Microsoft.HybridCompute is not registered makes the association fail.",
    remedy=(
        Step(
            "Read the gateway.",
            run=(
                "az",
                "arcgateway",
                "show",
                "--ids",
                "<gateway-id>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Register the provider.",
            run=(
                "az",
                "provider",
                "register",
                "--namespace",
                "Microsoft.HybridCompute",
                "--wait",
            ),
            risk=Risk.SAFE,
            verify="az provider show -n Microsoft.HybridCompute --query registrationState wants Registered",
        ),
        Step(
            "Connect with the right id.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--gateway-resource-id",
                "<gateway-id>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/arc-gateway-simplify-networking",
    ),
    leads_to=(
        "aks.authorization_failed",
        "aks.resource_not_found",
    ),
    ask="az arcgateway show --ids <gateway-id>",
)
