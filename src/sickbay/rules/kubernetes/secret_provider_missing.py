from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The SecretProviderClass that a volume names does not exist",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"failed to get secretproviderclass [^ ]{1,200}, error|SecretProviderClass(?:\.secrets-store\.csi\.x-k8s\.io)? \"(?P<missing>[\w.-]+)\" not found",
            says="the SecretProviderClass of a volume does not exist",
            sample='MountVolume.SetUp failed for volume "kv" : rpc error: code = Unknown desc = failed to get secretproviderclass shop/kv, error: SecretProviderClass.secrets-store.csi.x-k8s.io "kv" not found',
            near_miss="secretproviderclass.secrets-store.csi.x-k8s.io/kv created",
        ),
    ),
    why="The volume names a SecretProviderClass that does not exist in the namespace of the pod; the object is not shared between namespaces.",
    remedy=(
        Step(
            "See which exist.", run=("kubectl", "get", "secretproviderclass", "-A"), risk=Risk.READ
        ),
        Step(
            "Create it in the namespace of the pod, or correct its name in the volume.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-key-vault-csi-secrets-store-csi-driver",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
