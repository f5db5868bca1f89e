from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The identity signs in but sees no subscription: it has no role anywhere",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"No access was configured for the VM, hence no subscriptions were found|(?i:no subscriptions? (?:were |was )?found for (?:<?\S{1,80}>?|this (?:account|user|identity))\.?)|(?i:use '?--allow-no-subscriptions'? to have tenant level access)",
            says="the identity that signed in has no subscription",
            sample="ERROR: No access was configured for the VM, hence no subscriptions were found. If this is expected, use '--allow-no-subscriptions' to have tenant level access.",
            near_miss="Found 2 subscriptions for this account; the default is contoso-prod",
        ),
    ),
    why="Entra ID accepted the identity, but no role assignment of it reaches any subscription, so Resource Manager shows it none. On a machine or in a pod it is often the wrong identity: `az login --identity` takes the one of the virtual machine, never the workload identity of a pod's service account.",
    remedy=(
        Step(
            "See who signed in.",
            run=("az", "account", "list", "--all", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Give the identity a role on the group or subscription that it shall see.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee",
                "<principal-id>",
                "--role",
                "Reader",
                "--scope",
                "<scope>",
            ),
            verify="az account list wants the subscription",
        ),
        Step(
            "In a pod with workload identity, sign in with its federated token: `az login --service-principal -u $AZURE_CLIENT_ID -t $AZURE_TENANT_ID --federated-token` with the content of $AZURE_FEDERATED_TOKEN_FILE.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/cli/azure/authenticate-azure-cli-managed-identity",
        "https://learn.microsoft.com/azure/aks/workload-identity-overview",
    ),
    ask="az account list --all -o json",
)
