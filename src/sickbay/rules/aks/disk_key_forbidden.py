from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The disk encryption set may not use its key: its identity has lost the permission on the Key Vault",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bDiskEncryptionSetError\b|(?:must grant|grant) permissions? to (?:the )?key ?vault|KeyVaultAccessForbidden|disk ?encryption ?set.{0,200}?(?:does not have|lacks|lost|no) .{0,40}?(?:permission|access).{0,60}?key ?vault|Unable to access key vault resource .{0,200}?disk encryption|KeyVault(?:Key)?(?:AccessDenied|NotAccessible)\b",
            says="the disk encryption set cannot use its key",
            sample="ProvisioningState/failed/KeyVaultAccessForbidden: Unable to access key vault resource 'https://kv1.vault.azure.net/keys/disk/1' to enable encryption at rest. Please grant get, wrap and unwrap key permissions to disk encryption set 'des1'.",
            near_miss="Disk encryption set des1 uses key https://kv1.vault.azure.net/keys/disk/1",
        ),
    ),
    why="Disks with a key of your own are unlocked by the identity of the disk encryption set, which needs get, wrap and unwrap on the key. The access policy or role was removed, the key disabled or deleted, or the vault closed its network; machines then do not start.",
    remedy=(
        Step(
            "Find the identity.",
            run=(
                "az",
                "disk-encryption-set",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "<set>",
                "--query",
                "identity.principalId",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Grant it again: with access policies.",
            run=(
                "az",
                "keyvault",
                "set-policy",
                "--name",
                "<vault>",
                "--object-id",
                "<principal-id>",
                "--key-permissions",
                "wrapkey",
                "unwrapkey",
                "get",
            ),
        ),
        Step(
            "Or with roles.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--role",
                "Key Vault Crypto Service Encryption User",
                "--assignee",
                "<principal-id>",
                "--scope",
                "<vault-id>",
            ),
            verify="az vmss list-instances shows the machines running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/troubleshoot-common-bring-your-own-key-issues",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.instance_failed",
        "aks.machine_failed",
    ),
    ask="az disk-encryption-set list -o json",
)
