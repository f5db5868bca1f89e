from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A node cannot reach the NFS server of a volume (port 2049: timed out, refused or no route)",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"mount\.nfs\d?: (?:Connection timed out|Connection refused|No route to host|Network is unreachable|Host is down)|nfs: server (?P<server>[\w.:-]{1,253}) not responding, (?:still trying|timed out)",
            says="the NFS server [{server}] does not answer a node",
            sample="Mounting arguments: -t nfs 10.4.0.9:/exports/shop /var/lib/kubelet/pods/1/volumes/kubernetes.io~nfs/data Output: mount.nfs: Connection timed out",
            near_miss="Output: mount.nfs: access denied by server while mounting 10.4.0.9:/exports/shop",
            weight=TYPICAL,
            unless=r"blob\.core\.(?:windows\.net|chinacloudapi|usgovcloudapi)",
        ),
    ),
    why="The node, not the pod, mounts an NFS volume, and needs TCP 2049 of the server (for NFS version 3 also 111 and the ports of mountd). A wrong address or port, a firewall or network security group, a server that is down, or a service name that only resolves for pods keeps it waiting.",
    remedy=(
        Step(
            "See which server and path the volume names.",
            run=(
                "kubectl",
                "get",
                "pv",
                "-o",
                "custom-columns=NAME:.metadata.name,SERVER:.spec.nfs.server,PATH:.spec.nfs.path",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Try the port from a node.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/busybox:1.36",
                "--",
                "nc",
                "-v",
                "-w",
                "2",
                "<server>",
                "2049",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Start the server, or allow the nodes to reach it; a server inside the cluster is named by its cluster IP.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-storage/files/security/files-troubleshoot-linux-nfs",
        "https://kubernetes.io/docs/concepts/storage/volumes/",
    ),
    leads_to=(
        "kubernetes.mount_failed",
        "kubernetes.volume_operation_pending",
        "kubernetes.container_creating_stuck",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
