from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A volume is not mounted because its device is held by something else on the node (already mounted, busy)",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"already mounted or mount point busy|is apparently in use by the system; will not make a filesystem|mount: \S{1,300}: \S{1,200} is already mounted or|wipefs: error: \S{1,100}: probing initialization failed: Device or resource busy",
            says="the device is in use on the node",
            sample="Output: mount: /var/lib/kubelet/plugins/kubernetes.io/csi/pv/pvc-1/globalmount: /dev/sdd already mounted or mount point busy.",
            near_miss="Output: mount: /var/lib/kubelet/plugins/kubernetes.io/csi/pv/pvc-1/globalmount: /dev/sdd mounted.",
        ),
    ),
    why="The kernel refuses a device that somebody holds: multipathd or LVM took it as one of theirs, another storage system uses every free disk, or an earlier mount of the same device was left behind.",
    remedy=(
        Step(
            "See what holds the device.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "chroot",
                "/host",
                "lsblk",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Exclude the devices of the driver from multipathd (blacklist in /etc/multipath.conf) or from LVM and other storage systems, and restart that service.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "If an old mount was left, drain and restart the node.",
            run=(
                "kubectl",
                "drain",
                "{node}",
                "--ignore-daemonsets",
                "--delete-emptydir-data",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the pod mounts the volume",
        ),
    ),
    docs=("https://longhorn.io/kb/troubleshooting-volume-with-multipath/",),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
