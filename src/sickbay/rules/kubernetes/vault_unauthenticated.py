from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Key Vault gets no valid token from the driver (401 Unauthorized)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"keyvault\.BaseClient#Get\w+: Failure responding to request: StatusCode=401|AKV100(?:00|01|22|32)\b|(?:GET|POST) https://[\w-]+\.vault\.azure\.net/.{0,200}?RESPONSE 401",
            says="the key vault did not accept the token",
            sample='failed to process mount request, error: keyvault.BaseClient#GetSecret: Failure responding to request: StatusCode=401 -- Original Error: Code="Unauthorized" Message="AKV10032: Invalid issuer. Expected one of https://sts.windows.net/1/"',
            near_miss="keyvault.BaseClient#GetSecret: Failure responding to request: StatusCode=403",
        ),
    ),
    why="The request reaches the vault without a token that it accepts: the tenant in the SecretProviderClass is not the tenant of the vault (AKV10032), the token was asked for the audience of another cloud (AKV10022: Azure Government and China have vault names of their own), the client id is wrong, or no identity is configured.",
    remedy=(
        Step(
            "See tenant and identity of the class.",
            run=(
                "kubectl",
                "get",
                "secretproviderclass",
                "-n",
                "{namespace}",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set tenantId to the tenant of the vault, and the client id to an identity of that tenant.",
            run=(
                "az",
                "keyvault",
                "show",
                "-n",
                "<vault>",
                "--query",
                "properties.tenantId",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-key-vault-csi-secrets-store-csi-driver",
    ),
    leads_to=(
        "kubernetes.external_secret_unsynced",
        "kubernetes.mount_failed",
    ),
    ask="kubectl get secretproviderclass -A -o json",
)
