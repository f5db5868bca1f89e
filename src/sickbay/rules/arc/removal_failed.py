from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The connected cluster or its Arc agents could not be removed (Helm release deletion failed)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S(?:0402|0501)\b|Error occur{1,2}ed while cleaning up arc agents|HelmReleaseDeleteFailed|ConnectedClusterDeleteFailed|Unable to delete connected cluster resource",
            says="the agents were not removed",
            sample="Error occured while cleaning up arc agents. Helm release deletion failed: Error: uninstallation completed with 1 error(s): timed out waiting for the condition",
            near_miss="Step: Delete of Connected Cluster ended.",
            weight=TYPICAL,
        ),
    ),
    why="az connectedk8s delete removes the Azure resource and the Helm release azure-arc. Finalizers of Arc's own objects, an API server that does not answer, missing rights or a lock in Azure hold one of the two back, and the other half is left over.",
    remedy=(
        Step(
            "See what is left in the cluster.",
            run=(
                "helm",
                "list",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete by force: both the resource and all that belongs to azure-arc.",
            run=(
                "az",
                "connectedk8s",
                "delete",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--force",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get ns azure-arc answers NotFound",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",),
    leads_to=(
        "kubernetes.condition_timeout",
        "arc.namespace_terminating",
    ),
    ask="kubectl get all,crd -n azure-arc",
)
