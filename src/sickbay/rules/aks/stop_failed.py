from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Stopping the cluster or a node pool failed",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"(?i)Microsoft\.ContainerService/managedClusters/(?:agentPools/)?stop/action: (?:.{0,40}?\berror\b|Failed|\{|\()|(?:failed to|could not) stop (?:the )?(?:managed )?cluster|ClusterStopFailed|az aks stop.{0,200}?(?:ERROR|failed)",
            says="stopping failed",
            sample="Microsoft.ContainerService/managedClusters/stop/action: Failed",
            near_miss="Microsoft.ContainerService/managedClusters/stop/action: Succeeded",
            weight=SYMPTOM,
        ),
    ),
    why="A stop drains nothing, but it must be allowed to delete machines: locks, another operation in progress, a cluster that is stopped already, or a private endpoint that somebody else made keep it from ending.",
    remedy=(
        Step(
            "Read the error of the stop.",
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
                "[?contains(operationName.value,'stop')]",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "When the cause is gone, stop again.",
            run=(
                "az",
                "aks",
                "stop",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query powerState.code wants Stopped",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/start-stop-cluster",),
)
