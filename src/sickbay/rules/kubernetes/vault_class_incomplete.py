from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A SecretProviderClass is incomplete: it names no usable identity, Key Vault, tenant or objects",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"(?i)nodePublishSecretRef secret is not (?:provided|set)|could not find client(?:id|secret) in secrets|cannot enable both pod identity and user-assigned managed identity|(?:failed to (?:mount|create auth|get)|process mount request).{0,400}?(?:no valid credentials provided|(?:keyvaultName|tenantId|objects|tenantID) is not (?:set|provided))|failed to create auth config|invalid vaultObjectTypes?\b|Invalid vault name: \"?(?P<vault>[\w.-]*)|failed to (?:yaml )?unmarshal objects|objects array is empty|cloudName \S+ is not valid|pod information is not available\. deploy a CSIDriver",
            says="the SecretProviderClass lacks something that the driver needs",
            sample='MountVolume.SetUp failed for volume "secrets-store-inline" : rpc error: code = Unknown desc = failed to mount secrets store objects for pod shop/cart, err: failed to create auth config, error: failed to get credentials, nodePublishSecretRef secret is not set',
            near_miss="successfully wrote file db-password from key vault shop-kv",
        ),
    ),
    why="The class must name the vault, its tenant, the objects as YAML, and one way to sign in: `clientID` of a workload identity, `useVMManagedIdentity` with `userAssignedIdentityID`, or a secret of a service principal (`nodePublishSecretRef`). Without a valid one the driver asks for the secret of a service principal, which nobody gave.",
    remedy=(
        Step(
            "Read the class.",
            run=("kubectl", "get", "secretproviderclass", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Complete it: `keyvaultName`, `tenantId`, `objects` and one identity.",
            run=("kubectl", "edit", "secretproviderclass", "-n", "{namespace}"),
            risk=Risk.SAFE,
            verify="the pod leaves ContainerCreating",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/csi-secrets-store-identity-access",),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl get secretproviderclass -n {namespace} -o yaml",
)
