from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Starting the cluster or a node pool failed",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Microsoft\.ContainerService/managedClusters/(?:agentPools/)?start/action: (?:.{0,40}?\berror\b|Failed|\{|\()|(?:failed to|cannot|could not) start (?:the )?(?:managed )?cluster|ClusterStartFailed|az aks start.{0,200}?(?:ERROR|failed)",
            says="starting failed",
            sample="Microsoft.ContainerService/managedClusters/start/action: Failed: Conflict",
            near_miss="Microsoft.ContainerService/managedClusters/start/action: Succeeded",
            weight=SYMPTOM,
            unless=r"(?i)start cluster resource|FailoverCluster",
        ),
    ),
    why="A start builds control plane and nodes again, so it needs what a creation needs: capacity and quota for all machines at once, free addresses, the way out, and roles and policies that still allow them. The error of the operation names which was missing.",
    remedy=(
        Step(
            "Read the error of the start.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "-g",
                "{resource_group}",
                "--status",
                "Failed",
                "--offset",
                "1d",
                "--query",
                "[?contains(operationName.value,'start')]",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "When the cause is gone, start again.",
            run=(
                "az",
                "aks",
                "start",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query powerState.code wants Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/troubleshoot-aks-cluster-start-issues",
    ),
)
