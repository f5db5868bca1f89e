from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The identity of a Nexus cluster is denied access to Log Analytics workspace, blob container or Key Vault",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\b(?P<target>LogAnalyticsWorkspace|BlobContainer|KeyVault)(?:AccessDenied|CredentialsFetchFailed|UploadFailed|CommitFailed|Secret(?:Create|Read)Failed)\b",
            says="the cluster is denied access to its {target}",
            sample="BlobContainerAccessDenied: The managed identity lacks permissions on the container.",
            near_miss="BlobContainerUrlInvalid: The container URL format is incorrect.",
            unless=r"(?i)disk ?encryption|encryption at rest|unwrap|SecretProviderClass|secrets-store",
        ),
        Signature(
            pattern=r"(?i)(?:(?:credential|secret|password) rotation|secret ?archive\w*)\b.{0,200}?key ?-?vault\b.{0,160}?(?P<target>denied|denies|forbidden|unauthori[sz]ed|not authori[sz]ed|no access|403)",
            says="the vault refuses the identity of the cluster",
            sample="Credential rotation failed: secretArchive key vault kv-nexus denies set secret for the cluster identity (Forbidden)",
            near_miss="Credential rotation done: secretArchive key vault kv-nexus",
            weight=TYPICAL,
        ),
    ),
    why="Before a deployment the platform tries out, with the managed identity of the cluster, what it will need: reading the keys of the Log Analytics workspace, writing a blob to the container for command output, writing and reading a secret in the Key Vault. One of these was refused: a role is missing, or a firewall of the storage account or vault is closed.",
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
            "Give the identity Log Analytics Contributor on the workspace, Storage Blob Data Contributor on the container, or the Nexus Key Vault writer role on the vault.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee-object-id",
                "<identity-principal-id>",
                "--assignee-principal-type",
                "ServicePrincipal",
                "--role",
                "<role>",
                "--scope",
                "<id-of-the-{target}>",
            ),
            risk=Risk.SAFE,
            verify="az networkcloud cluster show -g {resource_group} -n {name} --query conditions wants AzurePrerequisitesReady True",
        ),
        Step(
            "A vault must use Azure RBAC, and a storage firewall must let the trusted services through."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-azure-prerequisites-validation",
    ),
    leads_to=(
        "nexus.cluster_failed",
        "nexus.prerequisites_unready",
        "aks.disk_key_forbidden",
        "kubernetes.vault_access_denied",
    ),
    ask="az networkcloud cluster show -g {resource_group} -n {name} --query conditions",
)
