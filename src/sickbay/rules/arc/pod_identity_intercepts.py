from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Pod identity intercepts the token request of the extension agent",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:getting auth header|azure-arc|AzureBackupRG|(?:config|extension)-?(?:agent|manager)|msi-adapter).{0,600}?no azure identity found for request clientID",
            says="pod identity answers the agent with 404",
            sample="Error: in getting auth header : error {adal: Refresh request failed. Status Code = '404'. Response body: no azure identity found for request clientID 6f1a }",
            near_miss="azure identity found for request clientID 6f1a",
        ),
    ),
    why="Microsoft Entra pod-managed identity (NMI) catches calls to the metadata endpoint. Without an exception for the extension agents they get `no azure identity found for request clientID` (404), and the extension is never created.",
    remedy=(
        Step(
            "See whether NMI runs.",
            run=(
                "kubectl",
                "get",
                "daemonset",
                "nmi",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add an AzurePodIdentityException for the pods of the extension agents, and update the extension.",
            run=(
                "az",
                "k8s-extension",
                "update",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-n",
                "flux",
                "-t",
                "<cluster-type>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions-troubleshooting",),
    leads_to=("arc.extension_failed",),
    ask="kubectl get daemonset nmi -A",
)
