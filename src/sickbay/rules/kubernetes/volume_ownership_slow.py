from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Changing the ownership of a volume (fsGroup) fails or takes too long",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"applyFSGroup failed for vol|Setting volume ownership for .{0,300}?is taking longer|volume.{0,200}?fsGroup.{0,200}?(?:slow|timed out)",
            says="changing the ownership of a volume failed or takes too long",
            sample="MountVolume.SetUp failed for volume pvc-1 : applyFSGroup failed for vol /subscriptions/0/resourceGroups/mc/providers/Microsoft.Compute/disks/pvc-1: lstat /var/lib/kubelet/x: input/output error",
            near_miss="MountVolume.SetUp succeeded for volume pvc-1",
            weight=TYPICAL,
        ),
    ),
    why="With fsGroup the kubelet changes ownership and permission of every file of the volume before the pod starts; with very many files, or on a disk with I/O errors, that takes too long or fails.",
    remedy=(
        Step(
            "Set fsGroupChangePolicy OnRootMismatch in the security context of the pod.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "After an input/output error, see the state of the disk and detach it from any other node.",
            run=("kubectl", "get", "volumeattachments"),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
