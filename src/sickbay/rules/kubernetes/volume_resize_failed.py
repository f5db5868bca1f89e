from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A volume could not be enlarged, or its file system not yet (VolumeResizeFailed, FileSystemResizePending)",
    severity=Severity.WARNING,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r'\bVolumeResizeFailed\b|\bFileSystemResizeFailed\b|\b(?:Controller|Node)ResizeError\b|failed to expand pvc with|failed to resize disk\(|(?i:Expander\.NodeExpand failed)|failed while expanding volume|(?i:error expanding volume \W)|resize volume "?(?P<volume>[\w.-]+)"? by resizer .{0,200}?failed|(?i:cannot resize disk .{0,200}?(?:attached|running VM))',
            says="a volume was not enlarged",
            sample='Warning  VolumeResizeFailed  3s  external-resizer disk.csi.azure.com  resize volume "pvc-0d7740b9" by resizer "disk.csi.azure.com" failed: rpc error: code = Internal desc = failed to resize disk with error(OperationNotAllowed: Cannot resize disk pvc-0d7740b9 while it is attached to running VM)',
            near_miss="Normal  VolumeResizeSuccessful  3s  external-resizer  Resize volume succeeded",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"FileSystemResizePending (?:True|status)|\bFileSystemResizePending\b|to finish file system resize of volume on node",
            says="the disk is larger, but its file system is not yet: it waits for a pod to be (re)started on a node",
            sample="FileSystemResizePending   True    Mon, 01 Jan 0001 00:00:00 +0000   Thu, 04 Feb 2021 13:38:22 +0000   Waiting for user to (re-)start a pod to finish file system resize of volume on node.",
            near_miss='FileSystemResizeSuccessful  kubelet  MountVolume.NodeExpandVolume succeeded for volume "pvc-0"',
            weight=TYPICAL,
        ),
    ),
    why="The driver asked Azure for a larger disk and was refused: the disk is attached and its size or type cannot grow online (across 4 TiB, standard disks of some sizes), the quota is used up, or the identity may not write the disk.",
    remedy=(
        Step(
            "Read why.",
            run=(
                "kubectl",
                "describe",
                "pvc",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Detach the disk by scaling its workload to zero; the resize then goes through, and the workload can come back.",
            run=(
                "kubectl",
                "scale",
                "<workload>",
                "-n",
                "{namespace}",
                "--replicas=0",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pvc -n {namespace} shows the new CAPACITY",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/azure-disk-csi",
        "https://kubernetes.io/docs/concepts/storage/persistent-volumes/#recovering-from-failure-when-expanding-volumes",
    ),
    ask="kubectl describe pvc -n {namespace}",
)
