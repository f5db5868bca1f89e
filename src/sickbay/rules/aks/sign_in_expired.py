from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The sign-in of the Azure CLI has expired or is refused",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"Please run 'az login' to (?:setup account|access your accounts)|AADSTS(?:700082|70043|700084|50173|50076|50079|50078|53003|50158|530003)\b|(?i:refresh token has expired)|(?i:interactive authentication is needed\. Please run: ?az login)|(?i:Continuous access evaluation resulted in challenge)",
            says="the sign-in is not valid any more",
            sample="ERROR: AADSTS70043: The refresh token has expired or is invalid due to sign-in frequency checks by conditional access. Interactive authentication is needed. Please run: az login",
            near_miss="Signed in: the refresh token was renewed",
        ),
    ),
    why="Entra ID no longer accepts the refresh token that `az login` left behind: it is too old, the password was changed, or conditional access asks for another factor, device or network. Nothing is wrong with the cluster.",
    remedy=(
        Step(
            "Sign in again, with the tenant of the cluster.",
            run=("az", "login", "--tenant", "<tenant-id>"),
            risk=Risk.SAFE,
            verify="az account show wants your subscription",
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/authenticate-azure-cli",),
    ask="az account show -o json",
)
