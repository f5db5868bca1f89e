from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="csi-proxy does not run on a Windows node, so the CSI drivers for disks and files cannot work there",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bpipe\W{1,4}csi-proxy-[\w-]+.{0,120}?(?:cannot find the file|not found|no such file|timed? ?out|refused|access is denied)|csi-?proxy(?:\.exe)?\b.{0,80}?(?:is not running|stopped|failed to start|not found|does not run)",
            says="the pipe of csi-proxy is not there",
            sample="Failed to get Azure Cloud Provider/mounter, error: open \\\\.\\pipe\\csi-proxy-filesystem-v1: The system cannot find the file specified.",
            near_miss="listening on \\\\.\\pipe\\csi-proxy-filesystem-v1",
        ),
    ),
    why="Windows containers cannot mount disks themselves: the drivers ask the service csi-proxy on the node over a named pipe. On an old node image, or after its service has stopped, the pipe is missing and csi-azuredisk-node-win and csi-azurefile-node-win crash.",
    remedy=(
        Step(
            "See whether the service runs on that node.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
                "-o",
                "wide",
                "-l",
                "app=csi-azuredisk-node-win",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Replace the node image of the Windows pool.",
            run=(
                "az",
                "aks",
                "nodepool",
                "upgrade",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
                "--node-image-only",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n kube-system wants csi-azuredisk-node-win Running",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/csi-storage-drivers",),
    leads_to=("kubernetes.crash_loop", "kubernetes.mount_failed"),
    ask="kubectl logs -n kube-system -l app=csi-azuredisk-node-win -c azuredisk --tail=50",
)
