from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure cloud environment is misspelt: there is no cloud of that name (AZURE_ENVIRONMENT)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CREATION),
    detect=(
        Signature(
            pattern=r"(?i)There is no cloud environment matching the name \W{0,3}(?P<cloud>[\w-]*)",
            says="no cloud is called {cloud}",
            sample='failed to create scope: autorest/azure: There is no cloud environment matching the name "AZUREPUBLIC"',
            near_miss='using the cloud environment matching the name "AzurePublicCloud"',
        ),
    ),
    why="The Azure clients know the clouds by fixed names: AzurePublicCloud, AzureUSGovernmentCloud, AzureChinaCloud. Under any other name they know neither where to sign in nor where Resource Manager is, and stop.",
    remedy=(
        Step(
            "Find where the name is set: AZURE_ENVIRONMENT of the controller, azureEnvironment of the AzureCluster, or cloud in azure.json.",
        ),
        Step(
            "Write one of the fixed names there, and restart the program.",
            risk=Risk.SAFE,
            verify="the message does not appear again",
        ),
    ),
    docs=(
        "https://capz.sigs.k8s.io/developers/development",
        "https://azure.github.io/azure-service-operator/guide/aso-controller-settings-options/",
    ),
)
