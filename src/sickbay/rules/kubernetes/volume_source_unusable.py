from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A claim is to be made from a snapshot or another claim that is missing, not ready or larger",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)error getting handle for DataSource Type (?P<kind>\w+) by Name (?P<source>[\w.-]+)|snapshot (?P<snapshot>[\w./-]+) (?:is )?not (?:Ready|bound)|requested volume size \d+ is less than the size \d+ for the source|claim in dataSource (?:not bound|is not)|error getting PVC (?P<claim>[\w.-]+) .{0,60}?not found|(?:source|dataSource).{0,80}?must be (?:in|of) the same (?:storage class|namespace|volume mode)|the (?:PVC|snapshot) .{1,80}? is (?:deleted|being deleted), can.?not be used as",
            unless=r"is forbidden: User",
            says="the source of a new volume cannot be used",
            sample='failed to provision volume with StorageClass "managed-csi": error getting handle for DataSource Type VolumeSnapshot by Name db-snap: snapshot db-snap is not Ready',
            near_miss='failed to provision volume with StorageClass "managed-csi": rpc error: code = Internal desc = quota exceeded',
        ),
    ),
    why="A volume that is restored or cloned takes its content from a source that must be ready, in the same namespace and of the same driver, and not larger than the claim.",
    remedy=(
        Step(
            "See the source.",
            run=(
                "kubectl",
                "get",
                "volumesnapshots,pvc",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait until the snapshot is ready to use, correct its name, or ask for at least its size.",
            risk=Risk.SAFE,
            verify="kubectl get pvc wants Bound",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/persistent-volumes/",),
    leads_to=(
        "kubernetes.claim_unbound",
        "kubernetes.pod_pending",
    ),
    ask="kubectl get volumesnapshots,pvc -n {namespace}",
)
