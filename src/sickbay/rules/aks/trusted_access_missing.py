from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Trusted Access role binding of an Azure service (backup vault) to the cluster is missing or refused",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)trusted ?access(?: role)?(?: ?-?binding)?\b.{0,160}?(?:missing|not (?:found|exist|enabled|supported|allowed)|does not exist|removed|forbidden|invalid|denied|failed|already exists)|\bUserErrorTrustedAccess\w+\b|\bTrustedAccess\w*(?:NotFound|Forbidden|Invalid|NotAllowed|Missing|Error)\b|does not have (?:trusted )?access to the AKS cluster",
            says="the trusted access of the service is missing",
            sample="UserErrorTrustedAccessGatewayReturnedForbidden: The Trusted Access role binding is missing/has gotten removed.",
            near_miss="Trusted Access role binding backup-vault was created",
        ),
    ),
    why="Azure Backup, Azure Machine Learning and others reach the API server by a Trusted Access role binding on the cluster, without opening it to their addresses. Without the binding, with a wrong role or a wrong source resource, the cluster answers them with Forbidden.",
    remedy=(
        Step(
            "See the bindings.",
            run=(
                "az",
                "aks",
                "trustedaccess",
                "rolebinding",
                "list",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the one that is missing.",
            run=(
                "az",
                "aks",
                "trustedaccess",
                "rolebinding",
                "create",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "backup",
                "--source-resource-id",
                "<backup-vault-id>",
                "--roles",
                "Microsoft.DataProtection/backupVaults/backup-operator",
            ),
            risk=Risk.SAFE,
            verify="az aks trustedaccess rolebinding show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/trusted-access-feature",),
    leads_to=("aks.request_refused",),
    ask="az aks trustedaccess rolebinding list -g {resource_group} --cluster-name {cluster} -o json",
)
