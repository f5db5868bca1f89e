from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Lustre file system cannot be mounted: port 988 is closed, or the node has no Lustre client",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i:Could not mount \"[\w.:-]+@tcp\d?:/[\w./-]*\")|mount\.lustre.{0,200}?(?:failed|error)|\b(?:LustreError|LNet(?:Error)?): .{0,200}?(?:timed out|failed|refused)|unknown filesystem type 'lustre'",
            says="the node cannot mount the Lustre file system",
            sample='MountVolume.MountDevice failed: rpc error: code = Internal desc = Could not mount "172.18.8.12@tcp:/lustrefs" at "/var/lib/kubelet/plugins/1": mount failed',
            near_miss="mounted 172.18.8.12@tcp:/lustrefs at /var/lib/kubelet/plugins/1",
            weight=TYPICAL,
        ),
    ),
    why="Nodes talk to the Lustre management server over TCP 988, which a network security group or missing peering closes; and only nodes with Ubuntu 22.04 or 24.04 (or Azure Linux 3) get the kernel module.",
    remedy=(
        Step(
            "See the OS of the nodes.",
            run=(
                "kubectl",
                "get",
                "nodes",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether the module is there.",
            run=(
                "kubectl",
                "exec",
                "-n",
                "kube-system",
                "-it",
                "<csi-azurelustre-node-pod>",
                "-c",
                "azurelustre",
                "--",
                "lsmod",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow TCP 988 both ways between the subnets and peer the networks, or run the pod on a pool with a supported OS.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-azurelustre-csi-extension-errors",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl get nodes -o wide",
)
