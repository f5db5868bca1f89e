from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The sign-in names a tenant that does not exist or does not hold the account (wrong tenant id or cloud)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"AADSTS(?:90002|900023|900021|90013|9002332|900382|90072)\b|(?i:Tenant '(?P<tenant>[\w.-]+)' not found)|\bInvalidAuthenticationTokenTenant\b|(?i:The access token is from the wrong issuer)",
            says="the tenant of the sign-in is not the right one",
            sample="AADSTS90002: Tenant '0a1b2c3d' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud.",
            unless=r"\bFalse (?:Warning|Error) |Severity: (?:Warning|Error)",
            near_miss="Tenant 0a1b2c3d: signed in",
        ),
        Signature(
            pattern=r"handling response from the Device Endpoint: Error HTTP status != 200",
            says="Entra ID gave out no device code for the tenant and application of the kubeconfig",
            sample="azure.go:126] Failed to acquire a token: acquiring a new fresh token: initialing the device code authentication: autorest/adal/devicetoken: Error occurred while handling response from the Device Endpoint: Error HTTP status != 200",
            near_miss="azure.go:126] waiting for device code authentication to complete",
            weight=TYPICAL,
        ),
    ),
    why="Entra ID looks the account up in the tenant that the request names. The id is misspelt or belongs to another cloud (public, government, China), or the subscription was moved to another tenant while client, cluster or secret still hold the old id.",
    remedy=(
        Step(
            "See the tenant of each subscription, and the cloud.",
            run=("az", "account", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Sign in to the tenant of the subscription, or correct the tenant id in the configuration.",
            run=("az", "login", "--tenant", "<tenant-id>"),
            risk=Risk.SAFE,
            verify="az account show names that tenant",
        ),
    ),
    docs=("https://learn.microsoft.com/entra/identity-platform/reference-error-codes",),
    leads_to=(
        "aks.operation_failed",
        "kubernetes.kubeconfig_rejected",
        "kubernetes.kind_not_served",
        "aks.sign_in_expired",
        "aks.authorization_failed",
    ),
    ask="az account show",
)
