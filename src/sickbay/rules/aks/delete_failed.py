from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Deleting the cluster or a node pool failed",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Microsoft\.ContainerService/managedClusters/(?:agentPools/)?delete: (?:.{0,40}?\berror\b|Failed|\{|\()|(?:failed to|could not) delete (?:the )?(?:managed )?(?:cluster|agent ?pool|node ?pool)|deletion of (?:Managed Kubernetes Cluster|Node Pool|the Kubernetes Cluster)|\bResourceGroupDeletionTimeout\b|Deletion of resource group '?[\w.()-]+'? did not finish|DeleteManagedClusterFailed|az aks delete.{0,200}?(?:ERROR|failed)",
            says="deleting failed",
            sample="Microsoft.ContainerService/managedClusters/delete: Failed: Conflict",
            near_miss="Microsoft.ContainerService/managedClusters/delete: Succeeded",
            weight=SYMPTOM,
        ),
    ),
    why="A deletion removes the node resource group piece by piece and stops at the first piece that may not go: one that is locked, or in use by something that AKS did not make. The cluster stays in state Failed or Deleting, and the only operation that it still takes is another deletion.",
    remedy=(
        Step(
            "Read the error of the deletion.",
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
                "[?contains(operationName.value,'delete')]",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "When what held it is gone, delete again.",
            run=(
                "az",
                "aks",
                "delete",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="az aks show -g {resource_group} -n {cluster} wants ResourceNotFound",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/publicipaddr-inusesubnet-netsecgrp-error",
    ),
)
