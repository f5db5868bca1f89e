from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The deployment of Azure Local cannot sign in to Azure with its service principal or managed identity",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)AZ Login using (?:SP|service principal|MSI) failed after \d+ retries|Failed to login to Azure using MSI\b",
            says="the sign-in of the deployment failed",
            sample="Exception while installing ARB in step [DeployArb:Doing AZ Login using service principal] AZ Login using SP failed after 15 retries. Aborting Arb deployment",
            near_miss="[DeployArb:Doing AZ Login using service principal] AZ Login using SP succeeded",
        ),
    ),
    why="The orchestrator signs in before it deploys or updates the resource bridge. The service principal was given a wrong or expired secret, the managed identity of the node has no role on the subscription, or login.microsoftonline.com is not reached from the node.",
    remedy=(
        Step(
            "On the node, try the same sign-in.",
            run=(
                "az",
                "login",
                "--identity",
            ),
            risk=Risk.READ,
            verify="the subscription is listed",
        ),
        Step(
            "Give a new secret, or the identity of each node its roles on the resource group, and resume the deployment or update.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-local/deploy/deployment-arc-register-server-permissions",
    ),
    ask="az login --identity",
)
