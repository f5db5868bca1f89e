from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Entra-only authentication was asked for before the SQL server had an Entra administrator",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"(?i)invalidServerAADOnlyAuthNoAADAdminPropertyName|AAD Admin is not configured, AAD Admin must be set|(?:Entra|AAD) (?:ID )?admin(?:istrator)? (?:is not|must be) (?:configured|set) before enabling",
            says="the server has no Entra administrator yet",
            sample="invalidServerAADOnlyAuthNoAADAdminPropertyName: AAD Admin is not configured, AAD Admin must be set before enabling/disabling AAD Only Authentication.",
            near_miss="AAD Admin is configured, AAD Only Authentication is enabled.",
        ),
    ),
    why="A SQL server accepts Entra-only authentication only after an Entra (AAD) administrator is set. In ASO both belong to the server and know nothing of each other, so ServersAzureADOnlyAuthentication can be sent first; up to v2.17 ASO then gives up for good.",
    remedy=(
        Step(
            "See whether the administrator is set by now.",
            run=(
                "az",
                "sql",
                "server",
                "ad-admin",
                "list",
                "-g",
                "{resource_group}",
                "-s",
                "<server>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Apply ServersAdministrator first; when it is Ready, let ASO try the other again by changing its reconcile policy.",
            run=(
                "kubectl",
                "annotate",
                "serversazureadonlyauthentications",
                "{name}",
                "-n",
                "{namespace}",
                "serviceoperator.azure.com/reconcile-policy=manage",
                "--overwrite",
            ),
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-sql/database/authentication-azure-ad-only-authentication",
    ),
    leads_to=("aso.not_ready",),
    ask="az sql server ad-admin list -g {resource_group} -s <server> -o table",
)
