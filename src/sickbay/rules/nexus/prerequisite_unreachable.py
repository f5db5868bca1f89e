from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Log Analytics workspace, blob container or Key Vault did not answer a Nexus cluster in time",
    severity=Severity.WARNING,
    categories=(
        Category.CONNECTIVITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\b(?P<target>LogAnalyticsWorkspace|BlobContainer|KeyVault)(?:RequestTimeout|RequestThrottled|ServiceUnavailable|SecretDeleteFailed)\b",
            says="the {target} did not answer in time",
            sample="BlobContainerRequestTimeout: The request to Azure Storage timed out.",
            near_miss="BlobContainerAccessDenied: The managed identity lacks permissions on the container.",
        ),
    ),
    why="The validation reached out to Log Analytics, blob storage or Key Vault and got a timeout, a throttled answer or no service. Also the removal of the test secret (KeyVaultSecretDeleteFailed) can fail for a moment. Mostly that passes; if it stays, a firewall or a private endpoint keeps the site from the service.",
    remedy=(
        Step(
            "Read the conditions of the cluster.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "conditions",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait a few minutes; the validation repeats itself.",
            risk=Risk.SAFE,
            verify="az networkcloud cluster show -g {resource_group} -n {name} --query conditions wants AzurePrerequisitesReady True",
        ),
        Step(
            "If it stays, look at Azure service health and at the firewall and private endpoints of the {target}."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-azure-prerequisites-validation",
    ),
    leads_to=("nexus.cluster_failed", "nexus.prerequisites_unready"),
    ask="az networkcloud cluster show -g {resource_group} -n {name} --query conditions",
)
