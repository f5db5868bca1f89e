from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A plugin of Velero is killed in the middle of a backup or restore, as a rule for want of memory",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.STORAGE),
    detect=(
        Signature(
            pattern=r"plugin process exited\b.{0,300}?signal: killed|dial unix /tmp/plugin\d+: connect: connection refused",
            says="the plugin ended before it had answered",
            sample='level=error msg="backup failed" error="[rpc error: code = Unavailable desc = error reading from server: EOF, rpc error: code = Unavailable desc = connection error: desc = \\"transport: error while dialing: dial unix /tmp/plugin3466263320: connect: connection refused\\"]"',
            near_miss='level=debug msg="plugin process exited" cmd=/plugins/velero-plugin-for-microsoft-azure pid=77',
            weight=TYPICAL,
            unless=r"(?i)exec format error",
        ),
    ),
    why="Velero runs its plugins as processes of its own within its container. The one for Azure holds blocks of about 100 MiB for each upload, and the kernel kills it when the container reaches its memory limit; the server then finds nobody behind the socket and calls the whole backup failed, although its log shows all items done.",
    remedy=(
        Step(
            "See the limit, and whether the container was killed for its memory.",
            run=("kubectl", "describe", "pods", "-n", "velero", "-l", "deploy=velero"),
            risk=Risk.READ,
        ),
        Step(
            "Give the server more memory.",
            run=(
                "kubectl",
                "set",
                "resources",
                "deployment/velero",
                "-n",
                "velero",
                "--limits=memory=1Gi",
                "--requests=memory=512Mi",
            ),
            risk=Risk.DISRUPTIVE,
            verify="velero backup get shows the next backup as Completed",
        ),
        Step(
            "Or make the blocks smaller: blockSizeInBytes in the config of the backup storage location.",
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://velero.io/docs/main/customize-installation/",
        "https://github.com/vmware-tanzu/velero-plugin-for-microsoft-azure",
    ),
    leads_to=("kubernetes.backup_failed", "network.connection_refused"),
    ask="kubectl describe pods -n velero",
)
