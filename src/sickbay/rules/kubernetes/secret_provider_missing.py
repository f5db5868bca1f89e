from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import SecretProviderClass
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_DRIVER = "secrets-store.csi.k8s.io"


@each(Pod)
def mounts_absent_class(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if pod.status.phase != "Pending" or not pod.spec.node_name or pod.has_made_containers:
        return None
    for volume in pod.spec.volumes or ():
        if volume.csi is None or volume.csi.driver != _DRIVER:
            continue
        attributes = volume.csi.volume_attributes
        name = (attributes and attributes.secret_provider_class) or ""
        if not name:
            continue
        wanted = kube(SecretProviderClass.kind, pod.namespace, name)
        if snapshot.get(wanted, SecretProviderClass):
            return Clear(f"secret provider class {name} exists")
        others = [one for one in snapshot.some(SecretProviderClass) if one.name == name]
        there = f" (one of that name is in {others[0].namespace})" if others else ""
        return Match(
            f"{pod.namespace}/{pod.name} mounts secret provider class {name}, which does not exist in its namespace{there}",
            facts={"missing": name},
            cites=(
                pod.cite(
                    f"spec.volumes[{volume.name}].csi.volumeAttributes.secretProviderClass", name
                ),
            ),
        )
    return None


RULE = Rule(
    title="The SecretProviderClass or SecretStore that is named does not exist",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        mounts_absent_class,
        Signature(
            pattern=r"failed to get secretproviderclass [^ ]{1,200}, error|(?:SecretProviderClass|(?:Cluster)?SecretStore)(?:\.[\w.-]{3,60})? \"(?P<missing>[\w.-]+)\" not found",
            says="what names the secrets to fetch does not exist",
            # It was made after the pod, which then started.
            ended_by=r"\bkubelet\s+Started container\b",
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
        "kubernetes.container_creating_stuck",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
