from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Two Argo CD applications manage the same object, and each changes it back (SharedResourceWarning)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?:SharedResourceWarning.{0,40}?)?(?P<object>[\w./-]{3,160}) is part of applications (?P<first>[\w./-]+) and (?P<second>[\w./-]+)",
            says="{object} belongs to {first} and to {second}",
            sample="SharedResourceWarning: ConfigMap/web-settings is part of applications argocd/web and argocd/web-old",
            near_miss="ConfigMap/web-settings is part of application argocd/web",
        ),
    ),
    why="Both applications render an object of the same kind, namespace and name. Whoever syncs last wins, the other is out of sync, and pruning one deletes it for both.",
    remedy=(
        Step(
            "Keep it in one application and remove it from the other.",
            risk=Risk.DISRUPTIVE,
            verify="neither application shows SharedResourceWarning",
        ),
    ),
    docs=("https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/",),
    ask="kubectl get applications -A -o yaml",
)
