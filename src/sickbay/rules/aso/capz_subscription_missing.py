from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Cluster API cluster names no Azure subscription (subscriptionID is not set)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"(?i)subscriptionID is not set in cluster or AZURE_SUBSCRIPTION_ID",
            says="neither the cluster nor the controller names a subscription",
            sample="failed to create scope: error creating azure services. subscriptionID is not set in cluster or AZURE_SUBSCRIPTION_ID env var",
            near_miss="using AZURE_SUBSCRIPTION_ID from the environment",
        ),
    ),
    why="Cluster API for Azure (CAPZ) takes the subscription from spec.subscriptionID of the AzureCluster or AzureManagedControlPlane, or else from AZURE_SUBSCRIPTION_ID in the environment of its controller. Both are empty, mostly because the variable was not exported when the template was generated.",
    remedy=(
        Step(
            "See what the cluster says.",
            run=(
                "kubectl",
                "get",
                "azurecluster,azuremanagedcontrolplane",
                "-A",
                "-o",
                "custom-columns=NAME:.metadata.name,SUBSCRIPTION:.spec.subscriptionID",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Export AZURE_SUBSCRIPTION_ID, generate the template again with clusterctl, and apply it.",
            verify="kubectl get azurecluster,azuremanagedcontrolplane -A wants READY true",
        ),
    ),
    docs=("https://capz.sigs.k8s.io/getting-started",),
    leads_to=("aso.capz_not_ready",),
    ask="kubectl get azurecluster,azuremanagedcontrolplane -A -o yaml",
)
