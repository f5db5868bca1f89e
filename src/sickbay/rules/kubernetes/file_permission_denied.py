from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The user of a container may not read or write a file that its program needs (permission denied)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.STORAGE),
    detect=(
        Signature(
            pattern=r"(?i:\bopen|mkdir|\btouch|\bls:|\bcat|\bcp|\bmv|\btee|cannot create (?:directory|regular file)|can't create|cannot touch|stat|unlink|rename|failed to (?:open|create|write)|could not (?:open|create)).{0,120}?(?P<path>/(?:[\w.-]+/){0,12}[\w.-]+)['\"]?: ?(?i:permission denied)|\w\(\) \"(?P<dir>/[^\"]{1,200})\" failed \(13: Permission denied\)|EACCES: permission denied, \w+ '(?P<file>/[^']{1,200})'|detected dubious ownership in repository at '(?P<repository>/[^']{1,200})|PermissionError: \[Errno 13\] Permission denied: '(?P<name>/[^']{1,200})'|npm (?:ERR!|error) code EACCES|[Dd]irectory \"?/[\w./-]{2,200}\"? is not writable|='/[\w./-]{2,200}' is not writable|is not writable\. You may have issues with file permissions|(?P<config>/[\w./-]{2,200}\.(?:conf|cnf|ya?ml|json|log|pid|properties|ini|db|sqlite|lock|txt|env|toml|xml)): Permission denied|The data directory .{1,120}? (?:is not writable|cannot be written)|\.erlang\.cookie: eacces|UnauthorizedAccessException: Access to the path '(?P<denied>/[^']{1,200})' is denied|AccessDeniedException: (?P<target>/[\w./-]{1,200})|The system directory \[(?P<system>/[^\]]{1,200})\] could not be created|[Aa]ccess denied errno = 0xD|\.sh: line \d+: /(?:var|data|mnt|srv|home)/\S{1,200}: Permission denied",
            says="a program may not open or create a file of its volume",
            sample='level=error ts=2026-03-04T10:02:03.070Z caller=main.go:731 err="opening storage failed: lock DB directory: open /data/lock: permission denied"',
            near_miss='level=error ts=2026-03-04T10:02:03.070Z caller=main.go:731 err="opening storage failed: lock DB directory: open /data/lock: no space left on device"',
            unless=r"(?i)exec:|mount|container process|/proc/|/sys/|\.sock\b|\.kube/|\.azure/|publickey|sudo|error loading config file|kubeconfig|admin\.conf|k3s\.yaml",
            weight=TYPICAL,
        ),
        Signature(
            # The working folder of the image is closed to the user of the container: runc cannot enter it.
            pattern=r"chdir to cwd \(\"(?P<folder>[^\"]{1,200})\"\) set in config\.json failed: permission denied",
            says="the user of a container may not enter its working folder {folder}",
            sample='Error: failed to start container "cart": OCI runtime create failed: container_linux.go:345: starting container process caused "chdir to cwd (\\"/root\\") set in config.json failed: permission denied": unknown',
            near_miss="starting container process in cwd /root",
        ),
    ),
    why="A container runs as a user (runAsUser, or that of its image), and the file or folder belongs to another one and is closed to the rest. Folders of a node, and disks that were formatted afresh, belong to root; without fsGroup nobody else may write to them.",
    remedy=(
        Step(
            "See as which user and group the pod runs.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.securityContext}{.spec.containers[*].securityContext}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "For a disk or an emptyDir set securityContext.fsGroup of the pod to the group of the program; a hostPath keeps its own owner: change that, or run as it. For Azure Files set uid, gid, dir_mode and file_mode in the mount options.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "For a file of the image, give it to the user in the Dockerfile (COPY --chown).",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/configure-pod-container/security-context/",
        "https://learn.microsoft.com/azure/aks/azure-csi-files-storage-provision",
    ),
    leads_to=(
        "kubernetes.program_fails",
        "kubernetes.container_start_fails",
        "kubernetes.container_create_fails",
    ),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
