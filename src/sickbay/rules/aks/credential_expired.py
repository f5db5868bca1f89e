from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The client secret of the cluster's service principal is expired or invalid",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.UPGRADE, Category.SCALING),
    detect=(
        Signature(
            pattern=r"AADSTS70002(?:22|15)\b|(?i:credentials in ServicePrincipalProfile were invalid)|(?i:provided client secret keys? (?:for app '?(?P<app>[\w<>-]+)'? )?(?:are|is) expired)|(?i:Invalid client secret (?:is )?provided)|\bServicePrincipalValidationClientError\b|\bInvalidClientSecret\b|\bInvalidServicePrincipalSecret\w*",
            says="the client secret of the service principal is not accepted",
            sample='The credentials in ServicePrincipalProfile were invalid. Please see https://aka.ms/aks-sp-help for more details. (Details: adal: Refresh request failed. Status Code = \'401\'. Response body: {"error": "invalid_client", "error_description": "AADSTS7000222: The provided client secret keys for app \'a1\' are expired."})',
            near_miss="The client secret of app 'a1' is valid for 90 days",
        ),
    ),
    why="A cluster that works with a service principal signs in with its client secret, which ends after a year unless it is renewed. Entra ID answers AADSTS7000222 (expired) or AADSTS7000215 (not the secret: often its id instead of its value), and every operation stops there.",
    remedy=(
        Step(
            "See which principal the cluster uses and when its secrets end.",
            run=(
                "az",
                "ad",
                "app",
                "credential",
                "list",
                "--id",
                "<app-id>",
                "--query",
                "[].endDateTime",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make a new secret.",
            run=("az", "ad", "app", "credential", "reset", "--id", "<app-id>", "--years", "1"),
            risk=Risk.SAFE,
        ),
        Step(
            "Hand it to the cluster; its nodes are reimaged.",
            run=(
                "az",
                "aks",
                "update-credentials",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--reset-service-principal",
                "--service-principal",
                "<app-id>",
                "--client-secret",
                "<secret>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
        Step(
            "To be rid of secrets, move the cluster to a managed identity.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-managed-identity",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/bad-request-or-invalid-client-secret-error",
        "https://learn.microsoft.com/azure/aks/update-credentials",
    ),
    leads_to=("aks.operation_failed", "aks.scale_up_failed"),
    ask="az aks show -g {resource_group} -n {cluster} --query servicePrincipalProfile.clientId",
)
