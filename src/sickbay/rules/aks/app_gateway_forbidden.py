from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ingress controller (AGIC) may not read or change its Application Gateway",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"\bIngressAppGwAddonConfig(?:ApplicationGateway|Subnet)AccessDenied\b|ErrorApplicationGatewayForbidden|ApplicationGatewayInsufficientPermission\w*|ErrorGetApplicationGatewayError|ErrorCreatingApplicationGateway|(?i:agic|ingress-appgw|ingress-azure).{0,400}?(?:AuthorizationFailed|status code 403|StatusCode=403)|(?i:Unexpected status code '40[13]' while performing a GET on Application Gateway)|ApplicationGatewaysClient#\w+: .{0,120}?StatusCode=40[13]|perform action 'Microsoft\.Network/applicationGateways/\w+'",
            says="AGIC was refused by Azure",
            sample="E1111 10:00:00.000000 1 client.go:184] Code=\"ErrorApplicationGatewayForbidden\" Message=\"Unexpected status code '403' while performing a GET on Application Gateway. You can use 'az role assignment create --role Reader --scope /subscriptions/0/resourceGroups/rg --assignee 1'\"",
            near_miss="I1111 10:00:00.000000 1 mutate_app_gateway.go:177] Applied generated Application Gateway configuration",
        ),
    ),
    why="The identity of AGIC needs Contributor on the Application Gateway, Reader on its resource group, and the right to join its subnet (Network Contributor); one of them is missing, so changes of ingresses do not reach the gateway.",
    remedy=(
        Step(
            "Find the identity of the add-on.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "addonProfiles.ingressApplicationGateway.identity.clientId",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give it the role on the gateway.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--role",
                "Contributor",
                "--assignee",
                "<client-id>",
                "--scope",
                "<gateway-id>",
            ),
        ),
        Step(
            "And on its subnet.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--role",
                "Network Contributor",
                "--assignee",
                "<client-id>",
                "--scope",
                "<subnet-id>",
            ),
            verify="kubectl logs -n kube-system -l app=ingress-appgw shows Applied generated Application Gateway configuration",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/load-bal-ingress-c/troubleshoot-app-gateway-ingress-controller-connectivity-issues",
    ),
    leads_to=(
        "aks.authorization_failed",
        "aks.network_role_missing",
    ),
    ask="kubectl logs -n kube-system -l app=ingress-appgw --tail=100",
)
