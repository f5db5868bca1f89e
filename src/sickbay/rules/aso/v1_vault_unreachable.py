from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Key Vault in which ASO v1 is to store secrets cannot be accessed (keyVaultToStoreSecrets)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"Waiting for Keyvault to store secrets to be available|(?i:Keyvault (?:specified )?(?:in .{0,60}? )?(?:is )?not accessible)|keyVaultToStoreSecrets.{0,120}?(?:not (?:found|accessible|available)|does not exist|denied)",
            says="the vault for the secrets is not accessible",
            sample='2020-06-12T10:11:12.000Z INFO controllers.RedisCache requeuing {"message": "Waiting for Keyvault to store secrets to be available"}',
            near_miss="retrieving keyvault for secrets if specified",
            passes=True,
        ),
    ),
    why="The first Azure Service Operator (v1, azure.microsoft.com/v1alpha1) writes credentials of what it makes into the vault of keyVaultToStoreSecrets and does not begin before it can reach it. The vault does not exist, or its access policies or firewall do not admit the identity of the operator. ASO v1 is retired; v2 exports into Kubernetes secrets.",
    remedy=(
        Step(
            "See whether the vault is there and who may write secrets.",
            run=(
                "az",
                "keyvault",
                "show",
                "-n",
                "<vault>",
                "--query",
                "properties.{policies:accessPolicies[].objectId,rbac:enableRbacAuthorization,network:networkAcls}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the identity of the operator the permissions get, list, set and delete on secrets, or drop keyVaultToStoreSecrets; and plan the move to v2.",
            verify="kubectl get <kind> {name} -n {namespace} shows provisioned true",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/asov1-asov2-migration/",),
    leads_to=("aso.not_ready",),
    ask="az keyvault show -n <vault> --query properties.accessPolicies",
)
