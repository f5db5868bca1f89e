from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Connected Machine agent cannot sign in to Azure: secret, tenant or token is wrong or expired (AZCM0041)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)\bAZCM00(?:41|12)\b|AZCMAgent command failed\b.{0,60}?exit ?code: ?41\b|Failed to acquire authorization token from SPN.{0,300}?(?:Invalid client secret|was ?n[o']t found in the directory|AADSTS70\d{4})",
            says="the credentials of the onboarding are refused",
            sample="FATAL AZCM0041: The credentials supplied are invalid",
            near_miss="FATAL AZCM0044: A resource with the same name already exists",
        ),
    ),
    why="azcmagent connect signs in with a device code, a token or a service principal. The secret has expired or is misspelt, the application is in another tenant than the one given, or the account has no access to the subscription (AZCM0041, AZCM0012).",
    remedy=(
        Step(
            "See when the secrets of the application end.",
            run=(
                "az",
                "ad",
                "app",
                "credential",
                "list",
                "--id",
                "<application-id>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Connect with a valid secret of the right tenant.",
            run=(
                "azcmagent",
                "connect",
                "--service-principal-id",
                "<application-id>",
                "--service-principal-secret",
                "<secret>",
                "--tenant-id",
                "<tenant>",
                "--subscription-id",
                "<subscription>",
                "--resource-group",
                "{resource_group}",
                "--location",
                "<location>",
            ),
            risk=Risk.SAFE,
            verify="azcmagent show says Connected",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/servers/troubleshoot-agent-onboard",),
    leads_to=("host.machine_agent_failed",),
    ask="azcmagent show",
)
