from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The SecretProviderClass or SecretStore that is named does not exist",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"failed to get secretproviderclass [^ ]{1,200}, error|(?:SecretProviderClass|(?:Cluster)?SecretStore)(?:\.[\w.-]{3,60})? \"(?P<missing>[\w.-]+)\" not found",
            says="what names the secrets to fetch does not exist",
            sample='MountVolume.SetUp failed for volume "kv" : rpc error: code = Unknown desc = failed to get secretproviderclass shop/kv, error: SecretProviderClass.secrets-store.csi.x-k8s.io "kv" not found',
            near_miss="secretproviderclass.secrets-store.csi.x-k8s.io/kv created",
        ),
    ),
    why="A volume names a SecretProviderClass, or an ExternalSecret a SecretStore, that does not exist in its own namespace: neither is shared between namespaces (a ClusterSecretStore is, and has to be named by that kind).",
    remedy=(
        Step(
            "See which exist (or: kubectl get secretstores,clustersecretstores -A).",
            run=("kubectl", "get", "secretproviderclass", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "Create it in the namespace of the pod or ExternalSecret, or correct the name (and kind) by which it is named.",
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
    ask="kubectl describe pod {pod} -n {namespace}",
)
