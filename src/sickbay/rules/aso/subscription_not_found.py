from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The subscription does not exist for the identity that is used (SubscriptionNotFound)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\bInvalidSubscriptionId\b|\bMissingSubscription\b|request did not have a (?:provided )?subscription|\bSubscriptionNotFound\b(?:.{0,60}?subscription '(?P<wanted>[\w-]{1,60})')?|(?i:failed to resolve user access to subscription)|The subscription of '(?P<named>[^']{1,80})' doesn't exist in cloud|The subscription '(?P<other>[\w-]{1,60})' could not be found|(?i:Subscription '(?P<unseen>[^']{1,80})' not (?:recognized|found\. Check the spelling))|The specified subscription (?P<specified>[\w-]{1,60}) does not exist",
            says="the subscription {wanted} was not found",
            sample="SubscriptionNotFound: The subscription '11111111-1111-1111-1111-111111111111' could not be found.",
            near_miss="The subscription '11111111-1111-1111-1111-111111111111' was found",
            # AGIC reports a subscription that was mistyped for its gateway in the same words.
            unless=r"ErrorApplicationGateway",
        ),
    ),
    why="AZURE_SUBSCRIPTION_ID of the credential is wrong, or the identity belongs to another tenant than the subscription and therefore cannot see it. Or the request names none at all: an id in it (of a subnet, say) is empty or does not begin with /subscriptions/.",
    remedy=(
        Step(
            "See which subscriptions the tenant has.",
            run=(
                "az",
                "account",
                "list",
                "--all",
                "--query",
                "[].[id,tenantId,state]",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct AZURE_SUBSCRIPTION_ID and AZURE_TENANT_ID in the credential secret.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/credential-format/",
    ),
    leads_to=("aso.not_ready",),
    ask="az account list --all -o table",
)
