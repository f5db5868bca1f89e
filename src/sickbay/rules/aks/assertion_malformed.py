from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="What is shown to Entra ID as a token is none: empty, cut, or a text other than a JWT (AADSTS50027)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"\bAADSTS50027\b|JWT token is invalid or malformed",
            says="Entra ID cannot read the token that it was shown",
            sample="reply status code was 400: AADSTS50027: JWT token is invalid or malformed. Trace ID: t",
            near_miss="AADSTS700024: Client assertion is not within its valid time range.",
        ),
    ),
    why="A sign-in with a federated token (kubelogin workloadidentity, az login --federated-token, azure/login) hands Entra ID what stands in a variable or file. That is empty, was cut or masked, has quotes or a line break too many, or is the token of something else, so that no credential is even compared.",
    remedy=(
        Step(
            "See whether the variable or file holds three parts with dots between them on one line, without printing it."
        ),
        Step(
            "In Azure Pipelines set addSpnToEnvironment and take $idToken; in GitHub give the job `id-token: write`; in a pod read AZURE_FEDERATED_TOKEN_FILE."
        ),
    ),
    leads_to=("kubernetes.kubeconfig_rejected",),
    docs=("https://learn.microsoft.com/entra/identity-platform/reference-error-codes",),
    ask="az login --debug",
)
