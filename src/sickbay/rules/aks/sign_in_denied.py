from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Entra ID gives no token for a sign-in; its code (AADSTS…) says why",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"\bAADSTS(?P<code>\d{5,8})\b",
            says="Entra ID refused the sign-in with AADSTS{code}",
            sample="AADSTS9002313: Invalid request. Request is malformed or invalid.",
            near_miss="Entra ID signed the user in.",
            weight=TYPICAL,
            passes=True,
            ended_by=r"(?i)acquired (?:a|the) (?:new )?(?:access )?token|token (?:was )?acquired|login succe",
        ),
        Signature(
            pattern=r"azure\.BearerAuthorizer#WithAuthorization: Failed to refresh the Token|adal: Refresh request failed|ClientAssertionCredential authentication failed",
            says="a program gets no token from Entra ID or from the metadata service",
            sample="azure.BearerAuthorizer#WithAuthorization: Failed to refresh the Token for request to https://management.azure.com/subscriptions/s/resourceGroups/shop",
            near_miss="azure.BearerAuthorizer: the token was refreshed",
            weight=TYPICAL,
            passes=True,
            ended_by=r"(?i)acquired (?:a|the) (?:new )?(?:access )?token|token (?:was )?acquired|login succe",
        ),
    ),
    why="A user, service principal or managed identity asks Entra ID (Azure Active Directory) for a token before it may call Azure or the cluster. Entra ID answers every refusal with a code, and what follows the code names the application, the tenant or the setting that does not fit; without a token nothing else is tried.",
    remedy=(
        Step("Look the code up: https://login.microsoftonline.com/error?code=<code>."),
        Step(
            "See the sign-in in the logs of the tenant (Entra ID, Sign-in logs): which application, which resource, and the reason of the failure.",
            risk=Risk.READ,
        ),
        Step(
            "See that tenant, client id and credential of the program belong together.",
            run=("az", "ad", "sp", "show", "--id", "<client-id>"),
            risk=Risk.READ,
            verify="the same sign-in gets a token",
        ),
    ),
    docs=("https://learn.microsoft.com/entra/identity-platform/reference-error-codes",),
    leads_to=("kubernetes.kubeconfig_rejected",),
    ask="az ad sp show --id <client-id>",
    vague=True,
)
