from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An operation on the cluster ended as failed; the error inside it names the cause",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE, Category.SCALING),
    detect=(
        Signature(
            pattern=r"\b(?:TemplateDeploymentCanceled|ControlPlane(?:AddOns|APIServer)NotReady|Reconcile(?:VNet|RouteTable|StandardLoadBalancer|NetworkSecurityGroup|PrivateEndpoint\w*|ResourceGroup|KubeletIdentity|AddonIdentity)Error|ManagedCluster(?:Stop|Start)Error)\b|\b(?:ResourceOperationFailure|OperationFailed|ProvisioningControlPlaneError|\w*AgentPoolFailed|VMSSAgentPoolReconciler retry failed|CreateOrUpdateManagedClusterFailed|ControlPlaneProvisioningError)\b|(?i:managedclusters\.ManagedClustersClient#|agentpools\.AgentPoolsClient#|containerservice\.(?:ManagedClusters|AgentPools)Client#)\w+: Failure|provision operation did not complete within the allowed timeout period|(?:completed with|reached) terminal provisioning state '?(?:Failed|Canceled)|Reconcil(?:e|ing) (?:managed cluster identity credential|standard load balancer|VNet|agent ?pools?|managed cluster|addons?|private dns) failed|Failed to save container service|Deployment failed\. Correlation ID|Details: Resource state Failed|getAndWaitForManagedClusterProvisioningState error|Azure failed to provision cluster with state|Operation failed with status: 'Conflict'|(?i:Long[- ]running operation failed with status '\w+')|waiting for (?:the )?(?:update|completion) of (?:Managed Kubernetes Cluster|Node Pool|the Kubernetes Cluster)|Microsoft\.ContainerService/managedClusters/(?:agentPools/)?write: (?:Failed|Canceled)",
            says="an operation ended as failed",
            sample="ResourceOperationFailure: The resource operation completed with terminal provisioning state 'Failed'.",
            near_miss="The resource operation completed with terminal provisioning state 'Succeeded'.",
            unless=r"(?i)scale-?up|azure_container_service_pool",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"\bUpgradeFailed\b|managedClusters/(?:agentPools/)?upgrade\w*/action: (?:Failed|Canceled)|(?i:failed to upgrade (?:the )?(?:managed )?(?:kubernetes )?(?:cluster|control plane))",
            says="an upgrade ended as failed",
            sample="Microsoft.ContainerService/managedClusters/agentPools/upgradeNodeImageVersion/action: Failed: Conflict",
            near_miss="Microsoft.ContainerService/managedClusters/agentPools/upgradeNodeImageVersion/action: Succeeded",
            unless=r"(?i)arcappliance|resource ?bridge|ResourceConnector",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"(?i)waiting for (?:the )?creation of (?:Managed Kubernetes Cluster|Node Pool|the Kubernetes Cluster)|creating (?:Managed )?Kubernetes Cluster .{0,300}?(?:unexpected status|Failure|error)|\bCreateManagedClusterFailed\b",
            says="a creation ended as failed",
            sample="Error: waiting for creation of Managed Kubernetes Cluster (Subscription: s Resource Group Name: rg): polling failed",
            near_miss="creation of Managed Kubernetes Cluster shop is complete",
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
    leads_to=(
        "aks.pool_failed",
        "aks.cluster_failed",
        "aks.start_failed",
        "aks.stop_failed",
        "aks.delete_failed",
        "aks.deployment_failed",
        "aso.not_ready",
    ),
    wraps=True,
)
