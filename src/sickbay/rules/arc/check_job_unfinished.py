from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The diagnostic check job of Arc did not finish: resource constraints, or its image is not pulled",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Unable to execute the diagnoser job in the cluster|(?:diagnostics|diagnoser|diagnostic checks) job (?:didn't|did not|failed to) reach (?:the )?completed state|jobExecutionStatus=NotCompleted|\bAZK8S060[135]\b|Execution of pre-onboarding checks failed|exception (?:has )?occur{1,2}ed while trying to execute pre-onboarding diagnostic checks|Prediagnostics(?:Incomplete|JobExecutionFailed|JobNotComplete|HelmInstallFailed)|\bAZK8S0607\b",
            says="the check job did not finish",
            sample="Cluster diagnostics job didn't reach completed state in the kubernetes cluster. The possible reasons can be resource constraints on the cluster.",
            near_miss="Cluster diagnostics job reached completed state",
        ),
    ),
    why="The job that checks the cluster before onboarding started, but did not finish: its pod stays pending or pulls its image slowly for lack of resources on the cluster. A leftover release of an earlier check blocks it in the same way.",
    remedy=(
        Step(
            "See its pod.",
            run=(
                "kubectl",
                "describe",
                "pod",
                "-n",
                "azure-arc-release",
                "-l",
                "job-name=cluster-diagnostic-checks-job",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove a leftover of an earlier check.",
            run=(
                "helm",
                "delete",
                "cluster-diagnostic-checks",
                "-n",
                "azure-arc-release",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Free resources, then connect again.",
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
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",),
    leads_to=("arc.prechecks_failed",),
    ask="kubectl get pods,events -n azure-arc-release",
)
