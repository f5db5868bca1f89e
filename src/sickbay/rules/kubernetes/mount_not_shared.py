from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A mount is to propagate, and the mount below it on the node is not shared (not a shared or slave mount)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.NODES),
    detect=(
        Signature(
            pattern=r"path \"?(?P<path>/[\w./-]{0,200})\"? is mounted on \"?(?P<mount>/[\w./-]{0,200})\"? but it is not a shared(?: or slave)? mount",
            says="{path} is to propagate, and {mount} of the node is not shared",
            sample='Error: failed to generate container "75b68b8badec" spec: failed to generate spec: path "/run/netns" is mounted on "/run" but it is not a shared or slave mount',
            near_miss='path "/run/netns" is mounted on "/run" as a shared mount',
        ),
    ),
    why="A volume mount with mountPropagation Bidirectional or HostToContainer (CSI drivers, Istio CNI, Calico, storage agents) needs a shared mount below it. systemd makes / shared; other init systems, nested clusters (kind, k3s on Alpine, WSL) and remounts at run time leave it private.",
    remedy=(
        Step(
            "See how the mounts of the node propagate.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "chroot",
                "/host",
                "findmnt",
                "-o",
                "TARGET,PROPAGATION",
            ),
            risk=Risk.READ,
        ),
        Step(
            "On that node make the mount shared (mount --make-rshared <mount>), and see to it that it stays so after a reboot.",
            risk=Risk.DISRUPTIVE,
            verify="the container is created",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/volumes/#mount-propagation",),
    leads_to=("kubernetes.container_create_fails",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
