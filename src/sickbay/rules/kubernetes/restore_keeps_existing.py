from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A restore of Velero leaves objects as they are that exist already in the cluster",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"could not restore, (?P<kind>[\w.:-]{1,120}) \"(?P<object>[\w.:-]{1,200})\" already exists\.? Warning: the in-cluster version is different",
            says="{kind} {object} is in the cluster, and differs from the backup",
            sample='could not restore, configmaps "ingress-controller-leader" already exists. Warning: the in-cluster version is different than the backed-up version.',
            near_miss='restored configmaps "ingress-controller-leader"',
            weight=TYPICAL,
        ),
    ),
    why="A restore only creates. What exists by the same name stays as it is, even where it differs from the backup, and is told as a warning; volumes are not filled for pods and claims that are there. For what operators and leases rewrite by themselves that is right.",
    remedy=(
        Step(
            "See what was left out: velero restore describe <restore> --details.",
            risk=Risk.READ,
        ),
        Step(
            "Restore into an empty namespace (--namespace-mappings), or let Velero change what exists (--existing-resource-policy=update).",
            risk=Risk.DISRUPTIVE,
            verify="velero restore describe shows no such warnings",
        ),
    ),
    docs=("https://velero.io/docs/main/restore-reference/",),
    leads_to=("kubernetes.backup_failed",),
    ask="kubectl get restores.velero.io -n velero -o yaml",
)
