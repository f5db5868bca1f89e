from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An internal error of the platform stopped the operation",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE, Category.SCALING),
    detect=(
        Signature(
            pattern=r"(?:^\(?|[Cc]ode\"?[:=] ?\"?)(?:InternalServerError|InternalOperationError|InternalExecutionError|CRPInternalError|ResourceProviderInternalError|BadGatewayConnection|GatewayTimeout)\b(?:.*?Correlation ID: (?P<correlation>[\w-]+))?|(?i:unable to serve this request due to an internal error|AKS encountered an internal error while attempting)(?:.*?Correlation ID: (?P<other>[\w-]+))?",
            says="the platform reported an internal error",
            sample="InternalServerError: We are unable to serve this request due to an internal error, Correlation ID: 7f2c, Operation ID: 11, Timestamp: 2024-05-01T10:00:00Z.",
            near_miss="The request was served without an internal problem",
            weight=TYPICAL,
        ),
    ),
    why="The operation met an error inside ARM, AKS or Compute that no setting of yours explains. The resource keeps its failed state until an operation succeeds, even when nothing is wrong any more.",
    remedy=(
        Step(
            "Repeat the operation once; then reconcile each pool and the cluster.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
        Step(
            "If it fails again, open a support request with the correlation id and the time from the message."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-node-virtual-machine-failed-state",
    ),
    leads_to=("aks.operation_failed",),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)
