from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The diagnostic checks of an earlier onboarding are still installed and block the new ones",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Cleanup of previous diagnostic checks helm release failed|jobExecutionStatus=CleanupFailed|cluster-diagnostic-checks.{0,120}?(?:cannot re-use a name that is still in use|already exists|another operation)",
            says="the old check release was not removed",
            sample='Cleanup of previous diagnostic checks helm release failed and hence couldn\'t install the new helm release. Please cleanup older release using \\"helm delete cluster-diagnostic-checks -n azure-arc-release\\" and try onboarding again',
            near_miss="Cleanup of previous diagnostic checks helm release succeeded",
        ),
    ),
    why="The check job is a Helm release (cluster-diagnostic-checks in azure-arc-release). When the release of an earlier attempt could not be removed, the new one is refused and no check runs.",
    remedy=(
        Step(
            "See the release.",
            run=(
                "helm",
                "list",
                "-n",
                "azure-arc-release",
                "-a",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete it.",
            run=(
                "helm",
                "delete",
                "cluster-diagnostic-checks",
                "-n",
                "azure-arc-release",
            ),
            risk=Risk.SAFE,
            verify="helm list -n azure-arc-release -a shows no cluster-diagnostic-checks",
        ),
        Step(
            "Connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query connectivityStatus wants Connected",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",),
    leads_to=(
        "arc.check_job_unfinished",
        "kubernetes.release_locked",
    ),
)
