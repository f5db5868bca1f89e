from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A hostPath or local volume names a path that the node does not have, or not of that type",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"hostPath type check failed: (?P<path>[^ ]{1,300}) is not (?:a |an )?(?P<type>[\w ]{2,20})",
            says="the node has no {type} at {path}",
            sample='MountVolume.SetUp failed for volume "data" : hostPath type check failed: /mnt/data is not a directory',
            near_miss='MountVolume.SetUp succeeded for volume "data"',
        ),
        Signature(
            pattern=r'MountVolume\.NewMounter initialization failed for volume "(?P<volume>[\w.-]+)" : path "(?P<path>[^"]{1,300})" does not exist',
            says="the local volume {volume} stands for {path}, which its node does not have",
            sample='Warning  FailedMount  4s (x7 over 36s)  kubelet  MountVolume.NewMounter initialization failed for volume "pv-ssd" : path "/mnt/disks/ssd1" does not exist',
            near_miss='MountVolume.NewMounter initialization failed for volume "pv-ssd" : volume mode "Block" is not supported by this plugin',
        ),
    ),
    why="A hostPath volume with a type (Directory, File, Socket) is mounted only if the node already has such a path, and so is a local volume; node images differ, and every new or reimaged node starts without what was put there by hand.",
    remedy=(
        Step(
            "See on which node the pod is.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use type DirectoryOrCreate, or better a persistent volume; paths on nodes go with the node.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/volumes/#hostpath",),
    leads_to=(
        "kubernetes.mount_failed",
        "kubernetes.container_start_fails",
        "kubernetes.container_create_fails",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
