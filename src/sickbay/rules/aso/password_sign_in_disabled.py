from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The database server allows Microsoft Entra authentication only: passwords and logins cannot be set or used",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"\bAadOnlyAuthenticationIsEnabled\b|(?i:(?:Azure Active Directory|Microsoft Entra|Entra|AAD)[ -]only authentication is enabled)|(?i:password (?:based )?authentication is (?:disabled|not enabled) (?:on|for) (?:the |this )?(?:server|flexible server|cluster))",
            says="the server takes no passwords",
            sample="AadOnlyAuthenticationIsEnabled: Unable to change the server admin password because Azure Active Directory only authentication is enabled.",
            near_miss="Azure Active Directory only authentication is disabled for the server.",
        ),
    ),
    why="With Entra-only authentication the server knows no passwords: it refuses a request that sets the administrator's password (also one that sends the old password once more, as ASO, Terraform and Bicep do with every update), and it refuses SQL logins. Programs and user objects must sign in as Entra identities.",
    remedy=(
        Step(
            "See whether it is on.",
            run=(
                "az",
                "sql",
                "server",
                "ad-only-auth",
                "get",
                "-g",
                "{resource_group}",
                "-n",
                "<server>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Take the administrator login and password out of the request, and let programs and users sign in with Entra identities.",
            verify="the same request wants to succeed",
        ),
        Step(
            "If passwords are meant to be used, switch Entra-only authentication off.",
            run=(
                "az",
                "sql",
                "server",
                "ad-only-auth",
                "disable",
                "-g",
                "{resource_group}",
                "-n",
                "<server>",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-sql/database/authentication-azure-ad-only-authentication",
    ),
    leads_to=(
        "aso.invalid_value",
        "aso.request_refused",
        "aks.request_refused",
        "aks.deployment_failed",
        "aso.not_ready",
    ),
    ask="az sql server ad-only-auth get -g {resource_group} -n <server>",
)
