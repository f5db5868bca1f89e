from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An operation on the cluster ended as failed; the error inside it names the cause",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE, Category.SCALING),
    detect=(
        Signature(
            pattern=r"\b(?:ResourceOperationFailure|OperationFailed|ProvisioningControlPlaneError|\w*AgentPoolFailed|VMSSAgentPoolReconciler retry failed|CreateOrUpdateManagedClusterFailed|ControlPlaneProvisioningError|NodesNotReady|UpgradeFailed)\b|(?i:managedclusters\.ManagedClustersClient#|agentpools\.AgentPoolsClient#)\w+: Failure|(?:completed with|reached) terminal provisioning state '?(?:Failed|Canceled)|Reconcil(?:e|ing) (?:standard load balancer|VNet|agent ?pools?|managed cluster|addons?|private dns) failed|Failed to save container service|Deployment failed\. Correlation ID|Details: Resource state Failed|waiting for (?:the )?(?:creation|update|completion|deletion) of (?:Managed Kubernetes Cluster|Node Pool|the Kubernetes Cluster)",
            says="an operation ended as failed",
            sample="ResourceOperationFailure: The resource operation completed with terminal provisioning state 'Failed'.",
            near_miss="The resource operation completed with terminal provisioning state 'Succeeded'.",
            weight=SYMPTOM,
        ),
    ),
    why="`ResourceOperationFailure`, `Conflict` and the names of AKS reconcilers say which step of an operation stopped, not why. The cause is the error that they carry, or the state of what the step touched.",
    remedy=(
        Step(
            "Read the failed operations of the last days, and in them the innermost error.",
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
                "7d",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Reconcile the cluster to its goal state when nothing is left to mend.",
            run=("az", "resource", "update", "--ids", "{subject}"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-node-virtual-machine-failed-state",
    ),
    leads_to=("aks.pool_failed", "aks.cluster_failed", "aks.deployment_failed", "aso.not_ready"),
)
