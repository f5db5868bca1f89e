from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Key Vault of the disk encryption key has no purge protection (KeyVaultNotPurgeProtectionEnabled)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"KeyVaultPolicyError|(?i:key ?vault policy recoverable is not set)|KeyVaultNot(?:PurgeProtection|SoftDelete)Enabled|(?i:key ?vault .{0,120}?(?:must have|does not have|not have|requires?) .{0,40}?purge protection)",
            says="the vault of the disk key is not protected against purging",
            sample="CreateVMSSAgentPoolFailed: KeyVaultNotPurgeProtectionEnabled: Key Vault kv1 must have purge protection enabled to be used with a disk encryption set.",
            near_miss="Key Vault kv1 has purge protection enabled.",
        ),
    ),
    why="A disk encrypted with your own key is lost with the key; Azure therefore takes keys only from vaults with soft delete and purge protection.",
    remedy=(
        Step(
            "Enable purge protection; it cannot be switched off again.",
            run=(
                "az",
                "keyvault",
                "update",
                "--name",
                "<vault>",
                "--enable-purge-protection",
                "true",
            ),
            verify="az keyvault show --query properties.enablePurgeProtection wants true",
        ),
        Step("Repeat the operation."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/troubleshoot-common-bring-your-own-key-issues",
        "https://learn.microsoft.com/azure/aks/azure-disk-customer-managed-keys",
    ),
    leads_to=("aks.operation_failed",),
    ask="az keyvault show --name <vault> --query properties.enablePurgeProtection",
)
