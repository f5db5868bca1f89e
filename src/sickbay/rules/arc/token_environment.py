from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="A custom access token is used without AZURE_SUBSCRIPTION_ID or AZURE_TENANT_ID in the environment",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"Environment variable '?(?P<variable>AZURE_(?:SUBSCRIPTION|TENANT)_ID)'? should be set",
            says="{variable} is not set",
            sample="Environment variable 'AZURE_SUBSCRIPTION_ID' should be set when custom access token is enabled.",
            near_miss="Environment variable 'AZURE_SUBSCRIPTION_ID' is set",
        ),
    ),
    why="With a custom access token the CLI cannot look up the account, so the environment variables AZURE_SUBSCRIPTION_ID and AZURE_TENANT_ID must be set as well.",
    remedy=(
        Step(
            "Set AZURE_SUBSCRIPTION_ID and AZURE_TENANT_ID in the environment, then repeat the command.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster",),
)
