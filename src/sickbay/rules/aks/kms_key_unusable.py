from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Encryption of etcd (KMS) cannot use its Key Vault key: permission, network or key (AzureKeyVaultKms)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"\bAzureKeyVaultKms\w{3,}\b|(?i:Azure Key ?Vault KMS\b.{0,160}?(?:unspecified|not |invalid|fail|requires?|must|cannot|disabled|denied|missing)|(?:not |invalid|fail\w*|requires?|must|cannot|denied|missing|unspecified).{0,120}?(?:for|with|by|to) (?:the )?Azure Key ?Vault KMS\b|--azure-keyvault-kms-[\w-]+ (?:is not a valid|is required|must)|KMS plugin.{0,120}?(?:fail|error|unhealthy|not ready|timed out|cannot)|failed to (?:encrypt|decrypt) .{0,60}?(?:envelope|KMS|DEK)|kms-(?:provider|plugin)\S* .{0,120}?(?:deadline exceeded|connection refused|Forbidden|KeyDisabled|KeyNotFound))",
            says="the key for etcd in Key Vault cannot be used",
            sample='(AzureKeyVaultKmsValidateIdentityPermissionCustomerError) The identity does not have keys encrypt/decrypt permission on key vault "https://shop.vault.azure.net"',
            near_miss="Azure Key Vault KMS is enabled for cluster shop",
            unless=r"(?i)cluster identity type|user.?assigned",
        ),
    ),
    why="With KMS the API server wraps the secrets in etcd with an RSA key of your Key Vault. It needs the permissions encrypt and decrypt (role Key Vault Crypto User), a way to the vault that fits `keyVaultNetworkAccess` (Private needs API server VNet integration or the vault's resource id and Key Vault Contributor), and the key enabled and in place: while one is missing, AKS refuses the change, and a running cluster cannot read its secrets.",
    remedy=(
        Step(
            "See which key, access and vault the cluster is set to.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "securityProfile.azureKeyVaultKms",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the cluster identity the right to use the key.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee-object-id",
                "<identity-object-id>",
                "--role",
                "Key Vault Crypto User",
                "--scope",
                "<key-vault-id>",
            ),
            risk=Risk.SAFE,
            verify="az role assignment list --scope <key-vault-id> wants the identity",
        ),
        Step(
            "Use an RSA key that is enabled and not expired; for a vault with private access also name its resource id, and let the API server reach it. Never delete the vault or the key while a cluster uses it."
        ),
        Step(
            "Send the update again.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-azure-keyvault-kms",
                "--azure-keyvault-kms-key-id",
                "<key-id>",
                "--azure-keyvault-kms-key-vault-network-access",
                "Public",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-kms-etcd-encryption",),
    leads_to=("aks.operation_failed", "aks.request_refused", "aks.api_server_fails"),
    ask="az aks show -g {resource_group} -n {cluster} --query securityProfile -o json",
)
