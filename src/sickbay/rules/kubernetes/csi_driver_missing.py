from collections.abc import Iterator

from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import CSINode, PersistentVolume, PersistentVolumeClaim
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)

# Before its volumes are there a container is not made.
_BEFORE_MOUNTS = frozenset({"ContainerCreating", "PodInitializing"})


@each(Pod)
def waits_for_its_driver(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    node = pod.spec.node_name
    reasons = {one.state.waiting.reason for one in pod.waiting if one.state and one.state.waiting}
    if not node or not reasons & _BEFORE_MOUNTS:
        return None
    volumes = [one for one in _volumes(pod, snapshot) if one.driver]
    if not volumes:
        return None
    found = snapshot.get(kube("CSINode", "", node), CSINode)
    there = [one.name for one in (found and found.spec.drivers) or ()]
    lacking = next((one for one in volumes if one.driver not in there), None)
    if found is None or lacking is None:
        return Clear(f"{node} has the drivers of the volumes of {pod.namespace}/{pod.name}")
    return Match(
        f"{pod.namespace}/{pod.name} waits on {node} for volume {lacking.name} of the CSI driver {lacking.driver}, which has not registered there"
        + (f"; {', '.join(there)} has" if there else ""),
        facts={"driver": lacking.driver, "node": node},
        cites=(
            lacking.cite("spec.csi.driver", lacking.driver),
            found.cite("spec.drivers", ", ".join(there)),
        ),
    )


def _volumes(pod: Pod, snapshot: Snapshot) -> Iterator[PersistentVolume]:
    for ref in pod.links(snapshot):
        claim = snapshot.find(ref)
        if isinstance(claim, PersistentVolumeClaim) and claim.spec.volume_name:
            volume = snapshot.find(kube("PersistentVolume", "", claim.spec.volume_name))
            if isinstance(volume, PersistentVolume):
                yield volume


RULE = Rule(
    title="The CSI driver of a volume, or its secrets provider, does not run on the node",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        waits_for_its_driver,
        Signature(
            pattern=r"driver name (?P<driver>[\w.-]+) not found in the list of registered CSI drivers|CSINode \S{1,253} does not contain driver (?P<unlisted>[\w.-]+)|failed to find provider binary (?P<provider>\w+)|provider not found: provider \"?(?P<absent>\w+)|secrets-store-csi-providers/\S+: no such file|no topology key found on CSINode|err=no volume plugin matched|expected valid fsGroupPolicy, received nil",
            says="the CSI driver {driver} does not run on the node",
            # On a new node the driver registers a little later than the first pods ask for it.
            ended_by=r"\bkubelet\s+Started container\b|AttachVolume\.Attach succeeded",
            sample='Warning FailedMount 42s (x12 over 8m56s) kubelet, akswin000000 MountVolume.SetUp failed for volume "secrets-store01-inline" : kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name secrets-store.csi.k8s.io not found in the list of registered CSI drivers',
            near_miss="driver name secrets-store.csi.k8s.io registered",
        ),
        Signature(
            pattern=r"Still connecting to (?:unix:)?(?:/{2,3})?(?P<socket>/\S{0,160}?csi\S{0,80}?\.sock)|dial unix (?P<dialled>/\S{0,160}?csi\S{0,80}?\.sock): connect: (?:connection refused|no such file)",
            says="the socket of a CSI driver is not served",
            sample="W0428 14:23:21.290422       1 connection.go:172] Still connecting to unix:///csi/csi.sock",
            near_miss="I0428 14:23:11.290244       1 connection.go:153] Connecting to unix:///csi/csi.sock",
            weight=TYPICAL,
            passes=True,
            ended_by=r"Probing CSI driver for readiness|CSI driver name: ",
        ),
    ),
    why="A volume is mounted by the pod of its CSI driver on the same node; that pod is not installed, does not run there (taints, operating system), or has not registered yet on a new node.",
    remedy=(
        Step(
            "See whether the driver has a pod on the node.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
                "-o",
                "wide",
                "--field-selector",
                "spec.nodeName={node}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Enable the driver or the add-on that brings it.",
            run=(
                "az",
                "aks",
                "update",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--enable-disk-driver",
                "--enable-file-driver",
            ),
            verify="kubectl get csinode {node} lists the driver[ {driver}]",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-key-vault-csi-secrets-store-csi-driver",
        "https://learn.microsoft.com/azure/aks/csi-storage-drivers",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
