from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Key Vault and disk encryption set are in different regions (KeyVaultAndDiskInDifferentRegions)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"KeyVaultAndDiskInDifferentRegions|(?i:key ?vault .{0,120}?(?:different region|must be in the same (?:region|location)).{0,60}?(?:disk|encryption))",
            says="the vault is in another region than the disks",
            sample="CreateVMSSAgentPoolFailed: KeyVaultAndDiskInDifferentRegions: The key vault kv1 and the disk are in different regions.",
            near_miss="The key vault kv1 and the disk are in the same region.",
        ),
    ),
    why="A disk encryption set, its disks and the vault of its key must be in one region (and, for one subscription boundary, one tenant).",
    remedy=(
        Step(
            "See the regions.",
            run=(
                "az",
                "disk-encryption-set",
                "list",
                "--query",
                "[].{name:name,location:location,vault:activeKey.sourceVault.id}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make a vault and a key in the region of the cluster, and a disk encryption set on it.",
            run=(
                "az",
                "keyvault",
                "create",
                "-n",
                "<vault>",
                "-g",
                "{resource_group}",
                "-l",
                "{location}",
                "--enable-purge-protection",
                "true",
            ),
        ),
        Step("Create the cluster or pool with that set.", risk=Risk.DISRUPTIVE),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/troubleshoot-common-bring-your-own-key-issues",
    ),
    leads_to=("aks.operation_failed",),
    ask="az disk-encryption-set list -o json",
)
