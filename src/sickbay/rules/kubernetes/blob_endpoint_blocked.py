from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The nodes cannot reach the blob endpoint (443, or 111 and 2049 for NFS), so the mount hangs",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)blob\.core\.windows\.net.{0,300}?(?:i/o timeout|context deadline exceeded|Connection timed out|connection refused)|blobfuse\. DNS server lookup failed|(?:111|2049).{0,60}?blob\.core\.windows\.net.{0,60}?timed out|blob\.core\.(?:windows\.net|chinacloudapi|usgovcloudapi).{0,900}?mount\.nfs\d?: (?:Connection timed out|No route to host)",
            says="the blob endpoint did not answer",
            sample='MountVolume.MountDevice failed for volume "pv-blob" : rpc error: code = Internal desc = Get https://account.blob.core.windows.net/data?restype=container: dial tcp 20.60.1.2:443: i/o timeout',
            near_miss="GET https://account.blob.core.windows.net/data 200 OK",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="blobfuse talks to the blob endpoint on port 443, NFS on 111 and 2049. A network security group, a firewall or a private endpoint without its DNS zone drops the packets: the mount hangs until its deadline, and every further try says that an operation with the volume id already exists.",
    remedy=(
        Step(
            "Test from a node.",
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
                "<account>.blob.core.windows.net",
                "443",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the ports to the account (service tag Storage) in the network security group and the firewall, or link the zone privatelink.blob.core.windows.net.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/mounting-azure-blob-storage-container-fail",
    ),
    leads_to=(
        "kubernetes.mount_failed",
        "kubernetes.volume_operation_pending",
        "kubernetes.blob_mount_refused",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
