from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Nexus cluster names no valid Log Analytics workspace, blob container or Key Vault",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\b(?P<target>LogAnalyticsWorkspace|BlobContainer|KeyVault)(?:Id|Ur[li])?(?:Missing|Invalid|NotFound)\b",
            says="the cluster names no valid {target}",
            sample="LogAnalyticsWorkspaceIdMissing: The workspace ID was not provided in analyticsOutputSettings.",
            near_miss="LogAnalyticsWorkspaceIdentityMissing: No identity is configured for workspace access.",
        ),
        Signature(
            pattern=r"(?i)\b(?P<target>commandOutputSettings|analyticsOutputSettings|secretArchiveSettings|secretArchive|vulnerabilityScanningSettings)\b.{0,120}?(?:(?:is|are|was) (?:not (?:set|specified|provided|configured|valid)|missing|required|invalid|empty|null)|must be (?:set|specified|provided)|not found)",
            says="the cluster has no valid {target}",
            sample="commandOutputSettings.containerUrl is not set. A storage container is required to run commands",
            near_miss="commandOutputSettings.containerUrl is set",
            weight=TYPICAL,
        ),
    ),
    why="The output settings of the cluster hold the resource id of the Log Analytics workspace (analyticsOutputSettings), the URL of the blob container (commandOutputSettings) and the URI of the Key Vault (secretArchiveSettings). One is absent, malformed, or names something that does not exist.",
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
            "Correct the setting: a workspace by its full resource id, a container as https://ACCOUNT.blob.core.windows.net/CONTAINER, a vault as https://NAME.vault.azure.net/.",
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
                "{analytics:analyticsOutputSettings,commands:commandOutputSettings,secrets:secretArchiveSettings}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Update the cluster with the right value of its {target}.",
            risk=Risk.SAFE,
            verify="az networkcloud cluster show -g {resource_group} -n {name} --query conditions wants AzurePrerequisitesReady True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-azure-prerequisites-validation",
    ),
    leads_to=(
        "nexus.cluster_failed",
        "nexus.prerequisites_unready",
        "kubernetes.blob_container_missing",
    ),
    ask="az networkcloud cluster show -g {resource_group} -n {name} --query conditions",
)
