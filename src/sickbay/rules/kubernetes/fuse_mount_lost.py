from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A FUSE mount (blobfuse) is dead or cannot be made: its process ended, or the container has no /dev/fuse",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"[Tt]ransport endpoint is not connected|fuse: device not found|fuse: failed to open /dev/fuse|fusermount3?: (?:fuse device not found|mount failed|failed to open)|failed to mount fuse|/dev/fuse: (?:no such file|operation not permitted|permission denied)",
            says="the FUSE mount does not work",
            sample="ls: cannot access '/mnt/blob': Transport endpoint is not connected",
            near_miss="ls: cannot access '/mnt/blob': No such file or directory",
            weight=TYPICAL,
        ),
    ),
    why="blobfuse is a process behind the mount. When it ends (killed for memory, its driver pod restarted or upgraded) every access answers `Transport endpoint is not connected` until it is mounted anew. Inside an ordinary container there is no /dev/fuse, so it cannot be mounted there at all.",
    remedy=(
        Step(
            "See whether the driver of the node restarted.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
                "-l",
                "app=csi-blob-node",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the pod anew, so that the volume is mounted again.",
            run=("kubectl", "delete", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Mount through the CSI driver with a claim instead of calling blobfuse in the container."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/azure-blob-csi",),
    leads_to=("kubernetes.mount_failed", "kubernetes.program_fails"),
    ask="kubectl describe pod {pod} -n {namespace}",
)
