from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Something waited for a resource to become ready and gave up (timeout)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)timed out waiting for the condition|timed out waiting for the resource to come to a ready|INSTALLATION FAILED: (?:context deadline exceeded|timed out)|client rate limiter Wait returned an error: context deadline exceeded",
            says="waiting for a resource to become ready timed out",
            sample="error: timed out waiting for the condition on deployments/cart",
            near_miss="deployment.apps/cart condition met",
            weight=SYMPTOM,
        ),
    ),
    why="Timed out waiting for the condition is only what the waiting program says; the pods or jobs that it waited for did not become ready, and their own state holds the cause.",
    remedy=(
        Step(
            "See what is not ready.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "--field-selector",
                "status.phase!=Running,status.phase!=Succeeded",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read what the cluster says about it.",
            run=("kubectl", "get", "events", "-A", "--field-selector", "type=Warning"),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/cluster-extension-deployment-errors",
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/",
    ),
)
