from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Something waited for a resource to become ready and gave up (timeout)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)timed out waiting for the condition|watch closed before Until timeout|timed out waiting for pod to start|Pod took longer than \d+ seconds to start|Timed out waiting for \[\d+\] milliseconds for \[\w+\] with name|Exceeded timeout of \d+ ?ms while waiting for|Health check failed after \d+\S*[:,]? timeout waiting for|timeout waiting for: \[|timed out waiting for the resource to come to a ready|resource \w{3,40}/\S{3,200} not ready\. status: |(?:INSTALLATION|UPGRADE) FAILED: (?:context deadline exceeded|timed out)|\bhelm_release\.[\w.\[\]\"-]{1,120}: context deadline exceeded|Helm (?:upgrade|install|rollback) failed for release .{3,200}?(?:context deadline exceeded|timed out)|client rate limiter Wait returned an error: context deadline exceeded",
            says="waiting for a resource to become ready timed out",
            sample="error: timed out waiting for the condition on deployments/cart",
            near_miss="failed to renew lease kube-system/kube-scheduler: timed out waiting for the condition",
            # Whoever leads waits for his lease, and a kubelet for the first look at a secret: each tries again at once.
            unless=r"leaderelection\.go|failed to renew lease|failed to sync (?:secret|configmap) cache",
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
    wraps=True,
    leads_to=("kubernetes.release_gave_up",),
)
