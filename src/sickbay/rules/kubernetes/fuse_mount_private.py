from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A blob container is mounted for root only (no -o allow_other), so the program gets permission denied",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"cannot (?:access|open directory|stat) '?(?P<path>/[^' ]{1,200})'?: Permission denied .{0,400}?\bd\?{9} +\? +\?|\bd\?{9} +\? +\?.{0,400}?: Permission denied",
            says="the directory of the mount cannot even be listed[: {path}]",
            sample="ls: cannot access '/mnt/blob': Permission denied total 0 drwxr-xr-x 1 root root 18 Jan 15 09:06 . d????????? ? ? ? ? ? blob",
            near_miss="drwxrwxrwx 2 root root 4096 Jan 15 09:06 blob",
            weight=TYPICAL,
        ),
    ),
    why="A FUSE file system (blobfuse) belongs to the user who mounted it, root, and the kernel hides it from every other user: even its owner and mode show as question marks. The mount option `-o allow_other` opens it. The storage class or volume lacks the option, and the container runs as another user; fsGroup does not help, for blobfuse has no owners of its own.",
    remedy=(
        Step(
            "See the mount options of the volume.",
            run=(
                "kubectl",
                "get",
                "pv",
                "-o",
                "custom-columns=NAME:.metadata.name,DRIVER:.spec.csi.driver,OPTIONS:.spec.mountOptions",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add `-o allow_other` to mountOptions of the volume and of its class; new mounts take it over.",
        ),
        Step(
            "Mount it anew.",
            run=("kubectl", "rollout", "restart", "deployment", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="ls in the container shows owner and mode",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/azure-csi-blob-storage-provision",),
    leads_to=("kubernetes.program_fails", "kubernetes.file_permission_denied"),
    ask="kubectl get pv -o yaml",
)
