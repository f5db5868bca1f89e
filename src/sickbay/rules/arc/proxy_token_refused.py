from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="az connectedk8s proxy gets no token for the signed-in account (a managed identity or Cloud Shell)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Failed to post access token to client proxy|'refreshToken' Traceback|\bCredentials of user not found\.|Error while loading accessToken\.json|Failed to load credentials\.? ?\[Errno 2\] No such file or directory: '[^']{0,200}accessTokens\.json",
            says="no token was handed to the client proxy",
            sample="Failed to post access token to client proxyAudience 00000000-0000-0000-0000-000000000000/.default is not a supported MSI token audience.",
            near_miss="Posted access token to client proxy",
            weight=TYPICAL,
        ),
    ),
    why="The proxy asks the sign-in of the Azure CLI for a token of the cluster connect application. Cloud Shell and managed identities refuse that audience (not a supported MSI token audience, Response [400]), and an extension that is older than the sign-in of the CLI looks for a refreshToken that is no longer there.",
    remedy=(
        Step(
            "Update the extension.",
            run=(
                "az",
                "extension",
                "update",
                "--name",
                "connectedk8s",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Sign in as a user or service principal, outside of Cloud Shell.",
            run=(
                "az",
                "login",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Or use a token of a service account.",
            run=(
                "az",
                "connectedk8s",
                "proxy",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--token",
                "<token>",
            ),
            risk=Risk.SAFE,
            verify="kubectl get nodes answers",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/cluster-connect",),
    ask="az account show --query user.type",
)
