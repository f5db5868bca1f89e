from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A limit of the node is too low for a program: memory maps, inotify watches or open files",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"vm\.max_map_count \[(?P<has>\d+)\] is too low|max virtual memory areas vm\.max_map_count|max file descriptors \[\d+\] for \w+ process is too low|(?i:fsnotify watcher|inotify).{0,60}?(?i:too many open files|no space left on device|limit)|System limit for number of file watchers reached|inotify_(?:init1?|add_watch).{0,40}?(?:Too many|No space)|The configured user limit \(\d+\) on the number of inotify|(?:accept|open|socket|pipe)\S{0,40}?:? .{0,80}?[tT]oo many open files|(?:error|failed|unable|cannot)\b.{0,160}?too many open files|IOException: Too many open files|EMFILE: too many open files|\[Errno 24\] Too many open files|Invalid kernel settings|worker_connections exceed open file resource limit|inotify_add_watch \S{1,300}: no space left|(?i:(?:file|fs)?watcher): \W?too many|(?:create|new|add).{0,20}? (?:fs)?watcher:? too many open files|timerfd: Too many open files",
            says="a program reached a limit of its node or process",
            sample="ERROR: [1] bootstrap checks failed. [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]",
            near_miss="vm.max_map_count = 262144",
            common=True,
        ),
    ),
    why="The kernel of the node limits memory maps (vm.max_map_count), file watches and inotify instances for all pods of a user, and the runtime limits open files of each process. A search engine, many watchers on one node or a leak of descriptors reaches them.",
    remedy=(
        Step(
            "See what the node has.",
            run=(
                "kubectl",
                "debug",
                "node/<node>",
                "-it",
                "--image=mcr.microsoft.com/cbl-mariner/busybox:2.0",
                "--",
                "sysctl",
                "-a",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set it for a new node pool by its Linux OS configuration (vmMaxMapCount, fsInotifyMaxUserWatches, fsNrOpen).",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
                "--linux-os-config",
                "<file>",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Or set it once on each node by a privileged init container; if descriptors grow without end, mend the leak.",
            risk=Risk.DISRUPTIVE,
            verify="the program starts and goes on",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/custom-node-configuration",),
    leads_to=("kubernetes.program_fails", "kubernetes.control_plane_not_started"),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
