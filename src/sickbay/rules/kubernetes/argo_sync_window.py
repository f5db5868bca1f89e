from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A sync window of the Argo CD project forbids the sync at this time",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)blocked by sync window|(?:cannot|can not) sync:? .{0,60}?sync window",
            says="a sync window is closed",
            sample="rpc error: code = PermissionDenied desc = cannot sync: blocked by sync window",
            near_miss="sync window opens at 22:00",
        ),
    ),
    why="The project of the application has windows in time that allow or deny syncs. A deny window is open, or no allow window is, so that Argo CD refuses by design.",
    remedy=(
        Step(
            "See the windows of the project.",
            run=(
                "kubectl",
                "get",
                "appprojects",
                "-n",
                "argocd",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait for the window, change it, or permit manual syncs in it.",
            risk=Risk.SAFE,
            verify="the sync begins",
        ),
    ),
    docs=("https://argo-cd.readthedocs.io/en/stable/user-guide/sync_windows/",),
    ask="kubectl get appprojects -n argocd -o yaml",
)
