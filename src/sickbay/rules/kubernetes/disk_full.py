from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A disk or volume is full (no space left on device)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.NODES),
    detect=(
        Signature(
            pattern=r"(?i)no space left on device|\bENOSPC\b|There is not enough space on the disk|diagnoser was unable to save logs to your machine|There is no storage space available on your device",
            says="a write failed because there is no space left",
            sample='Failed to pull image "contoso.azurecr.io/cart:v9": failed to extract layer: write /var/lib/containerd/tmpmounts/x: no space left on device',
            near_miss="12 GiB space left on device",
            weight=TYPICAL,
            unless=r"(?i)file watchers|inotify|/mnt/flash\b",
        ),
        Signature(
            pattern=r"flood.?stage (?:disk )?watermark|high disk watermark .{0,40}?exceeded|disk usage exceeded|[Ff]ree disk space is (?:insufficient|low)|[Dd]etected low-disk space condition|disk (?:resource limit alarm|free space).{0,60}?(?:set|below)|out of disk space",
            says="a store has stopped writing for lack of disk",
            sample="[logs-1] flood stage disk watermark [95%] exceeded on [x][data-0][/data] free: 1gb[4%], all indices on this node will be marked read-only",
            near_miss="[logs-1] low disk watermark is [85%]",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The file system that was written to is full: the OS disk of the node (images, logs, emptyDir) or a persistent volume; inodes or inotify watches that are used up print the same words.",
    remedy=(
        Step(
            "See which file system is full.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "df",
                "-h",
                "/host",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Enlarge a full persistent volume by raising the request of its claim (its class must allow expansion).",
            run=(
                "kubectl",
                "patch",
                "pvc",
                "<claim>",
                "-n",
                "{namespace}",
                "-p",
                '{"spec":{"resources":{"requests":{"storage":"<size>"}}}}',
            ),
            verify="kubectl get pvc -n {namespace} shows the new CAPACITY",
        ),
        Step("Free the node's disk, or use a pool with a larger OS disk.", risk=Risk.DISRUPTIVE),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/concepts-storage",
        "https://kubernetes.io/docs/concepts/storage/persistent-volumes/#expanding-persistent-volumes-claims",
    ),
    leads_to=(
        "kubernetes.node_disk_pressure",
        "kubernetes.crash_loop",
        "kubernetes.image_pull_failed",
        "kubernetes.container_creating_stuck",
        "kubernetes.program_fails",
    ),
    ask="kubectl describe node {node}",
)
