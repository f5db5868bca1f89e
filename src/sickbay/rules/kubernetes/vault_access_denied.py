from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Key Vault refuses the identity that mounts its secrets (403 Forbidden)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"keyvault\.BaseClient#Get\w+: Failure responding to request: StatusCode=403|does not have secrets get permission on key vault|(?i:key ?vault).{0,300}?(?:ForbiddenByRbac|ForbiddenByPolicy|ForbiddenByConnection|ForbiddenByFirewall)|(?i:not authorized to perform action on resource).{0,300}?(?i:vaults)",
            says="the key vault refused to hand out an object",
            sample='failed to get objectType:secret, objectName:db, objectVersion:: keyvault.BaseClient#GetSecret: Failure responding to request: StatusCode=403 -- Original Error: autorest/azure: Service returned an error. Status=403 Code="Forbidden" Message="The user, group or application appid=1 does not have secrets get permission on key vault kv1"',
            near_miss="keyvault.BaseClient#GetSecret: Failure responding to request: StatusCode=404",
            weight=TYPICAL,
        ),
    ),
    why="The identity that the secrets store driver uses has no permission on the Key Vault (role Key Vault Secrets User or an access policy), or the vault refuses the network of the nodes: 403 Forbidden.",
    remedy=(
        Step(
            "See how the vault grants access.",
            run=(
                "az",
                "keyvault",
                "show",
                "--name",
                "<vault>",
                "--query",
                "properties.{rbac:enableRbacAuthorization,network:networkAcls,public:publicNetworkAccess}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the identity the right to read secrets.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee",
                "<client-id>",
                "--role",
                "Key Vault Secrets User",
                "--scope",
                "<vault-id>",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-key-vault-csi-secrets-store-csi-driver",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="az keyvault show --name <vault>",
)
