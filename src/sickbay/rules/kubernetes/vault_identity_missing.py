from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The identity that a SecretProviderClass names is not assigned to the nodes (Identity not found)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)failed to parse workload identity tokens|(?:key ?vault|secrets?-store|failed to mount (?:objects|secrets)|mount request).{0,600}?Identity not found|(?:key ?vault|secrets?-store|failed to mount (?:objects|secrets)).{0,600}?Multiple user assigned identities exist",
            says="the nodes do not have the identity that the volume asks for",
            sample='MountVolume.SetUp failed for volume "secrets-store-inline" : rpc error: code = Unknown desc = failed to mount secrets store objects for pod default/test, err: rpc error: code = Unknown desc = failed to mount objects, error: failed to get keyvault client: failed to acquire token, statusCode: 400, err: Identity not found',
            near_miss="failed to mount objects, error: failed to get keyvault client: failed to acquire token: context deadline exceeded",
        ),
    ),
    why="userAssignedIdentityID in the SecretProviderClass must be the client id of an identity that is assigned to the scale sets of the nodes; it is another id (of the cluster, of the object), was removed, or is empty while the nodes have several.",
    remedy=(
        Step(
            "Read the client id of the add-on's own identity.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "addonProfiles.azureKeyvaultSecretsProvider.identity.clientId",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Put it into userAssignedIdentityID of the SecretProviderClass (or assign the other identity to the scale sets), and restart the pod.",
            run=(
                "kubectl",
                "edit",
                "secretproviderclass",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-key-vault-csi-secrets-store-csi-driver",
    ),
    leads_to=("kubernetes.mount_failed", "aks.kubelet_identity_unbound"),
    ask="kubectl get secretproviderclass -A -o json",
)
