from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Nexus cluster has no valid identity for its Log Analytics workspace, blob container or Key Vault",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\b(?P<target>LogAnalyticsWorkspace|BlobContainer|KeyVault)Identity(?:ResourceId|Type)?(?:Missing|Invalid)\b",
            says="the identity for the {target} is not set, or not valid",
            sample="KeyVaultIdentityTypeInvalid: The identity type specified is not recognized.",
            near_miss="KeyVaultUriInvalid: The vault URI format is incorrect.",
        ),
    ),
    why="Each output setting of the cluster (Log Analytics, blob container, Key Vault) names the identity that it is reached with: the type SystemAssignedIdentity or UserAssignedIdentity, and for the latter the resource id of the identity. One of these is absent or malformed.",
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
            "Set identityType and, for a user-assigned identity, identityResourceId in the setting of the {target}.",
            risk=Risk.SAFE,
            verify="az networkcloud cluster show -g {resource_group} -n {name} --query conditions wants AzurePrerequisitesReady True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-azure-prerequisites-validation",
    ),
    leads_to=("nexus.cluster_failed", "nexus.prerequisites_unready"),
    ask="az networkcloud cluster show -g {resource_group} -n {name} --query conditions",
)
