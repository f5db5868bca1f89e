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
            pattern=r"\bDeniedWithNoValidRBAC\b|keyvault\.BaseClient#Get\w+: Failure responding to request: StatusCode=403|does not have (?:secrets|keys|certificates|storage) \w+ permission on key vault|(?i:key ?vault).{0,300}?(?:ForbiddenByRbac|ForbiddenByPolicy|AccessDenied\b)|(?i:not authorized to perform action on resource).{0,300}?(?i:vaults)|(?:GET|POST) https://[\w-]+\.vault\.azure\.net/.{0,200}?RESPONSE 403|Microsoft\.KeyVault/vaults/secrets/getSecret.{0,200}?(?i:not authorized|denied|Forbidden)|(?:AuthorizationFailed|not authorized).{0,300}?Microsoft\.KeyVault/vaults/\w+/\w+",
            says="the key vault refused to hand out an object",
            sample='failed to get objectType:secret, objectName:db, objectVersion:: keyvault.BaseClient#GetSecret: Failure responding to request: StatusCode=403 -- Original Error: autorest/azure: Service returned an error. Status=403 Code="Forbidden" Message="The user, group or application appid=1 does not have secrets get permission on key vault kv1"',
            near_miss="keyvault.BaseClient#GetSecret: Failure responding to request: StatusCode=404",
            weight=TYPICAL,
            unless=r"(?i)Public network access is disabled|ForbiddenBy(?:Connection|Firewall)|Client address is not authorized|SecretDisabled|KeyDisabled|on a disabled (?:secret|key)",
        ),
    ),
    why="The identity that the secrets store driver uses (the add-on identity, a user-assigned or a workload identity) has no permission on the Key Vault: neither the role Key Vault Secrets User nor, in a vault with access policies, a policy with get.",
    remedy=(
        Step(
            "See how the vault grants access: by role or by access policy.",
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
            "With roles: give the identity the right to read secrets.",
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
        Step(
            "With access policies: add one.",
            run=(
                "az",
                "keyvault",
                "set-policy",
                "--name",
                "<vault>",
                "--object-id",
                "<object-id>",
                "--secret-permissions",
                "get",
                "list",
            ),
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-key-vault-csi-secrets-store-csi-driver",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/istio-add-on-plug-in-ca-certificate",
    ),
    leads_to=(
        "kubernetes.external_secret_unsynced",
        "kubernetes.mount_failed",
        "aks.authorization_failed",
    ),
    ask="az keyvault show --name <vault>",
)
