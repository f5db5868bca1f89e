from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A mounted NFS share has gone stale: its export or folder was replaced on the server (stale file handle)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)stale (?:NFS )?file handle|\bESTALE\b",
            says="a mount holds a stale handle",
            sample="Error: failed to create containerd container: lstat /var/lib/kubelet/pods/1/volumes/kubernetes.io~nfs/data: stale NFS file handle",
            near_miss="NFS: server 10.1.0.4 OK",
            weight=TYPICAL,
        ),
    ),
    why="A mounted share refers to a folder on the server by a handle. When the folder or export was deleted, restored or moved, or the server failed over with another file system id, every access through the old mount answers `Stale file handle` (ESTALE) until it is mounted anew.",
    remedy=(
        Step(
            "See which pods use the share.",
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
            "Delete the pods of that share on the node, so that it is unmounted and mounted anew; if the unmount hangs, drain and restart the node.",
            run=(
                "kubectl",
                "delete",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the new pod reads its volume",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/volumes/#nfs",),
    leads_to=(
        "kubernetes.mount_failed",
        "kubernetes.program_fails",
        "kubernetes.container_start_fails",
        "kubernetes.container_create_fails",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
