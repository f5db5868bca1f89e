from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An internal error of the platform stopped the operation",
    vague=True,
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE, Category.SCALING),
    detect=(
        Signature(
            pattern=r"\b(?:(?:Provisioning|ControlPlane|Update|GenevaAction)InternalError|(?:Networking|DeleteResourceGroup)InternalOperationError|ControlPlaneProvisioning(?:SyncError|Timeout)|ReconcileMSICredential(?:Error|Failed)|OverlaymgrReconcileError|ReconcileControlPlaneCert\w*|ControlPlaneNotFound|KubeConfigError|NoVMSSInstance\w+)\b|(?:^\(?|[Cc]ode\"?[:=]? ?\"?)(?:InternalServerError|InternalOperationError|InternalExecutionError|CRPInternalError|ResourceProviderInternalError|ControlPlaneProvisioningInternalError|BadGatewayConnection|GatewayTimeout|GatewayError|ServerTimeout)\b(?:.*?Correlation ID: (?P<correlation>[\w-]+))?|with error: Internal(?:ServerError|OperationError)\b|(?i:Details: Internal server error|Correlation ID: [\w-]{8,40}\. Internal server error|Message: (?:# )?Internal server error|\bcode\"?: \"?\w+\"?, .{0,120}?\"message\": \"Internal server error|^\w+: Internal server error|too many 50\d error responses|Timeout while polling for control ?plane|Unexpected response trying to \w+ (?:the )?control ?plane|PutControlPlane error|Could not find control plane with ID|Failed to complete operation\. Message:|failed to RpGetControlPlane|unable to serve this request due to an internal error|AKS encountered an internal error while attempting)(?:.*?Correlation ID: (?P<other>[\w-]+))?",
            says="the platform reported an internal error",
            sample="InternalServerError: We are unable to serve this request due to an internal error, Correlation ID: 7f2c, Operation ID: 11, Timestamp: 2024-05-01T10:00:00Z.",
            near_miss="The request was served without an internal problem",
            weight=TYPICAL,
            passes=True,
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
    leads_to=(
        "kubernetes.load_balancer_fails",
        "aks.operation_failed",
    ),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)
