from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The nodes cannot reach the file share: port 445 (SMB) is blocked or its name resolves wrongly",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)mount error\((?:110|111|112|113|115)\)|SmbGlobalMapping.{0,300}?(?:network path was not found|network name is no longer available|semaphore timeout period)|mount error: could not (?:connect to|resolve address for)|TCP connect to \(\S{3,120} : 445\) failed|(?:unable|failed) to connect.{0,100}?\b445\b|\.file\.core\.windows\.net.{0,60}?(?:port )?445.{0,60}?(?:timed out|refused)",
            says="the node gets no connection to the file share",
            sample="mount failed: exit status 32 Output: mount error(115): Operation now in progress Refer to the mount.cifs(8) manual page",
            near_miss="mount failed: exit status 32 Output: mount error(13): Permission denied",
            weight=TYPICAL,
        ),
    ),
    why="SMB needs TCP port 445 from the nodes to the storage account; a network security group, a firewall appliance or a private endpoint name that resolves wrongly stops it, and the mount gives up with error 110 to 115.",
    remedy=(
        Step(
            "Test the port from a node.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "nc",
                "-zv",
                "<account>.file.core.windows.net",
                "445",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Allow TCP 445 from the node subnet to the account in NSG and firewall, or use a private endpoint with its DNS zone linked.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
