from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The diagnostic check job of Arc could not be scheduled: security policy, SCC or quota",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Unable to schedule the (?:Cluster Diagnostic Checks|diagnoser) Job|jobExecutionStatus=NotScheduled|\bAZK8S0604\b",
            says="the check job was not scheduled",
            sample="Unable to schedule the Cluster Diagnostic Checks Job in the kubernetes cluster. The possible reasons can be presence of a security policy or security context constraint (SCC) or it may happen becuase of lack of ResourceQuota.",
            near_miss="The Cluster Diagnostic Checks Job was scheduled",
        ),
    ),
    why="Before onboarding, a job in azure-arc-release checks the cluster. A pod security policy, a security context constraint (SCC) or a ResourceQuota keeps it from being scheduled.",
    remedy=(
        Step(
            "Read why.",
            run=(
                "kubectl",
                "get",
                "events",
                "-n",
                "azure-arc-release",
                "--sort-by=.lastTimestamp",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the job's service account in the policy, or raise the quota.",
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
    leads_to=("arc.prechecks_failed",),
    ask="kubectl get pods,events -n azure-arc-release",
)
