from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An Azure service cannot use its customer-managed key in Key Vault: no permission, or the key is disabled",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"\b(?P<code>AzureKeyVault(?:InvalidEncryptionKey|InvalidExpirationDate|KeyDisabled|KeyNotFound|MissingPermissions|NoServerIdentity|InvalidDeleteRecoveryLevel|MismatchError|ConnectionFailed|MalformedVaultUri|RsaKeyNotFound)\w*|UserErrorCMK\w+|KeyVaultAccessTokenCannotBeAcquired|KeyVaultEncryptionKey\w+|CustomerManagedKey\w{4,40}|CmkKey\w{4,40}|DataEncryption(?:Key|Identity)\w{4,40}|ServerKeyVault\w{4,40}|KeyVaultKeyAccess\w{4,40})\b",
            says="the key of the service cannot be used ({code})",
            sample="AzureKeyVaultMissingPermissions: The server shopsql requires the following Azure Key Vault permissions: 'Get, WrapKey, UnwrapKey'. Please grant the missing permissions to the service principal.",
            near_miss="The server shopsql uses the key https://shop.vault.azure.net/keys/tde.",
        ),
        Signature(
            pattern=r"(?i)(?:requires? the following Azure Key ?Vault permissions|(?:grant|missing) .{0,60}?\bWrapKey\b.{0,60}?\bUnwrapKey\b|identity .{0,60}?(?:does not have|lacks|without) .{0,40}?(?:permissions?|access) .{0,40}?(?:customer[- ]managed key|encryption key|key ?vault key)|(?:cannot|unable to|failed to) access .{0,40}?(?:customer[- ]managed key|encryption key))(?P<code>)",
            says="the key of the service cannot be used",
            sample="The server 'shopsql' does not have access. Grant permissions Get, WrapKey and UnwrapKey to its identity.",
            near_miss="The permissions Get, WrapKey and UnwrapKey are granted.",
            weight=TYPICAL,
            unless=r"(?i)disk ?encryption ?set",
        ),
    ),
    why="With a customer-managed key (CMK) the service unlocks its data through a Key Vault key, and asks for it with its own managed identity. That identity needs Get, WrapKey and UnwrapKey (or the role Key Vault Crypto Service Encryption User), the key must be enabled and not expired, the vault must have purge protection and let the service in through its firewall. Otherwise the service refuses the setting, and one that runs already becomes inaccessible.",
    remedy=(
        Step(
            "See whether the key is enabled and when it expires.",
            run=("az", "keyvault", "key", "show", "--vault-name", "<vault>", "-n", "<key>"),
            risk=Risk.READ,
        ),
        Step(
            "Give the identity of the service the role on the vault; in ASO as a RoleAssignment that exists before the service asks.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee",
                "<principal-id>",
                "--role",
                "Key Vault Crypto Service Encryption User",
                "--scope",
                "<vault-id>",
            ),
            risk=Risk.SAFE,
            verify="the same request wants to succeed some minutes later",
        ),
        Step("Let trusted Microsoft services through the firewall of the vault."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/security/fundamentals/encryption-models",
        "https://learn.microsoft.com/azure/azure-sql/database/transparent-data-encryption-byok-overview",
    ),
    leads_to=(
        "kubernetes.vault_access_denied",
        "aso.invalid_value",
        "aso.referenced_resource_missing",
        "aso.request_refused",
        "aso.not_ready",
    ),
    ask="az keyvault key show --vault-name <vault> -n <key>",
)
