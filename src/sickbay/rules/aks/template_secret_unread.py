from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A deployment cannot read the Key Vault secret that one of its parameters refers to",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"\bKeyVaultParameterReference(?:SecretRetrieveFailed|AuthorizationFailed)\b|(?i:secret of KeyVault parameter cannot be retrieved)|\bAccess denied to first party service\b.{0,80}?\bname=ARM\b",
            says="Resource Manager may not read the secret",
            sample="KeyVaultParameterReferenceSecretRetrieveFailed: The secret of KeyVault parameter cannot be retrieved. Http status code: 'Forbidden'. Error message: 'Access denied to first party service. Caller: name=ARM;tid=0'.",
            near_miss="KeyVaultParameterReferenceNotFound: The specified KeyVault was not found.",
        ),
    ),
    why="For a parameter of the form reference/keyVault (Bicep: getSecret) Azure Resource Manager itself reads the secret. The vault must be enabled for template deployment, its firewall must let trusted Microsoft services in, the secret must exist and be enabled, and whoever deploys needs the action Microsoft.KeyVault/vaults/deploy/action, which Contributor and Owner have.",
    remedy=(
        Step(
            "See whether the vault is enabled for template deployment, and whom its firewall lets in.",
            run=(
                "az",
                "keyvault",
                "show",
                "-n",
                "<vault>",
                "--query",
                "properties.{enabled:enabledForTemplateDeployment,network:networkAcls}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Enable it, and let trusted services through.",
            run=(
                "az",
                "keyvault",
                "update",
                "-n",
                "<vault>",
                "--enabled-for-template-deployment",
                "true",
                "--bypass",
                "AzureServices",
            ),
            risk=Risk.SAFE,
            verify="the same deployment wants to succeed",
        ),
        Step("Give the deployer a role with Microsoft.KeyVault/vaults/deploy/action on the vault."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/templates/key-vault-parameter",
        "https://learn.microsoft.com/azure/azure-resource-manager/bicep/key-vault-parameter",
    ),
    leads_to=(
        "kubernetes.vault_access_denied",
        "kubernetes.vault_network_denied",
        "aks.template_invalid",
        "aks.request_refused",
        "aks.deployment_failed",
    ),
    ask="az keyvault show -n <vault> --query properties.enabledForTemplateDeployment",
)
