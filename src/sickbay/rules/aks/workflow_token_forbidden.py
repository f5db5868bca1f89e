from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A GitHub workflow may not ask for its OIDC token, so it cannot sign in to Azure (id-token: write)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"Unable to get (?:the )?ACTIONS_ID_TOKEN_REQUEST_(?:URL|TOKEN)|(?i:github ?Assertion: cannot request token: Get \S{0,3}\?audience=)|(?i:Please make sure to give write permissions to id-token in the workflow)|ACTIONS_ID_TOKEN_REQUEST_(?:URL|TOKEN)\b.{0,60}?(?i:not (?:set|found|defined)|missing|empty)",
            says="the workflow has no right to a token of its own",
            sample="Error: Login failed with Error: Unable to get ACTIONS_ID_TOKEN_REQUEST_URL env variable. Double check if the 'auth-type' is correct.",
            near_miss="Federated token details: issuer - https://token.actions.githubusercontent.com, subject claim - repo:contoso/shop:ref:refs/heads/main",
        ),
    ),
    why="The sign-in with a federated credential starts with a token that GitHub gives the job, and GitHub gives it only to a job with the permission `id-token: write`. A `permissions` block that does not name it takes it away, and a pull request from a fork never has it.",
    remedy=(
        Step("Give the job `permissions: {id-token: write, contents: read}` and run it again."),
        Step(
            "In a called (reusable) workflow give the permission to the caller as well.",
        ),
        Step(
            "See that the identity has a federated credential for this repository and branch or environment.",
            run=(
                "az",
                "identity",
                "federated-credential",
                "list",
                "--identity-name",
                "<identity>",
                "-g",
                "<group>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
    ),
    leads_to=("aks.assertion_malformed",),
    docs=("https://learn.microsoft.com/azure/developer/github/connect-from-azure-openid-connect",),
)
