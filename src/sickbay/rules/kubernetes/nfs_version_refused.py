from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The NFS client and server do not agree on version, transport or locking",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"requested NFS version or transport protocol is not supported|mount\.nfs4?: (?:an incorrect mount option was specified|Protocol (?:family )?not supported|RPC: Program not registered|prog \d+, trying vers)|mount\.nfs4?: .{0,120}?(?:Protocol not supported|RPC: Program(?:/version mismatch| not registered))|rpc\.statd is not running but is required for remote locking|lock DB directory: no locks available|\(?(?:errno )?37\)?:? No locks available",
            says="the NFS server does not serve what the mount asks for",
            sample="mount.nfs: requested NFS version or transport protocol is not supported",
            near_miss="mount.nfs: timeout set for Tue Mar  3 10:02:03 2026",
        ),
    ),
    why="The mount asks for a version of NFS (vers, nfsvers), for TCP or UDP, or for locks of its own that the server does not offer, or that the node cannot keep because rpc.statd does not run. Azure Files serves NFS 4.1 only, blob storage NFS 3 only (with nolock).",
    remedy=(
        Step(
            "See which mount options the volume has.",
            run=("kubectl", "get", "pv", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Set mountOptions that the server serves: nfsvers=4.1 for Azure Files and most servers, vers=3 with nolock for blob storage; open port 2049 (and 111 for version 3). A volume takes new options only when it is made anew.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/storage/files/storage-files-how-to-mount-nfs-shares",),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
