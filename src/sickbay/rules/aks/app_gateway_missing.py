from sickbay.rulekit import (
    TYPICAL,
    Category,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
)

RULE = Rule(
    title="The ingress controller (AGIC) looks for an Application Gateway that does not exist",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"\bIngressAppGwAddonConfigApplicationGatewayNotFound\b|\bErrorApplicationGatewayNotFound\b|(?:App Gateway|ingress-appgw).{0,300}?Application Gateway not found|Unexpected status code '404' while performing a GET on Application Gateway|ApplicationGatewaysClient#Get: .{0,120}?StatusCode=404",
            says="the Application Gateway was not found",
            sample='Failed getting Application Gateway: Code="ErrorApplicationGatewayNotFound" Message="Unexpected status code \'404\' while performing a GET on Application Gateway."',
            near_miss="Got Application Gateway details: Name=gw-shop",
            # Without a token nobody was asked for the gateway.
            unless=r"Failed to refresh the Token|getting assigned identities",
        ),
        Signature(
            pattern=r"unable to get specified AppGateway|\(CTRL001\)|Failed getting Application Gateway|\bErrorFetchingAppGatewayConfig\b|Unable to fetch(?: specified)? App ?G(?:ate)?w(?:a)?y",
            says="AGIC cannot read its Application Gateway",
            sample="F0301 10:00:00 1 main.go:102] unable to get specified AppGateway (CTRL001)",
            near_miss="got AppGateway gw-shop",
            weight=TYPICAL,
            unless=r"Failed to refresh the Token|getting assigned identities|StatusCode=40[13]|status code '40[13]'|Forbidden|AuthorizationFailed|NotAllowed",
        ),
    ),
    why="AGIC is told subscription, resource group and name of its gateway in its configuration. With one of them wrong (a whole path in place of the subscription's id is a common slip), or with a gateway that was deleted, it ends at its start and nothing is routed.",
    remedy=(
        Step(
            "See which gateway the controller was told.",
            run=("kubectl", "logs", "-n", "kube-system", "-l", "app=ingress-appgw", "--tail=50"),
            risk=Risk.READ,
        ),
        Step(
            "See which gateways there are.",
            run=("az", "network", "application-gateway", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Correct `appgw.subscriptionId`, `appgw.resourceGroup` and `appgw.name` of the Helm release, or enable the add-on anew with the id of a gateway that exists.",
            run=(
                "az",
                "aks",
                "enable-addons",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "-a",
                "ingress-appgw",
                "--appgw-id",
                "<gateway-id>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the controller's pod is Ready",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/application-gateway/ingress-controller-troubleshoot",),
    leads_to=("kubernetes.crash_loop",),
    ask="az network application-gateway list -o json",
)
