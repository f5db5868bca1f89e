from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Node pools were added, removed or changed in a call for the cluster, which AKS does not accept",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)A new agent pool was introduced\. Adding agent pools to an existing cluster is not allowed|agent ?pools? cannot be (?:added|removed|changed|updated|deleted)\b.{0,40}?(?:through|via|by) (?:the )?managed cluster|Node ?pool update via managed clus|agent ?pools? .{0,80}?not allowed through managed cluster operations|\bNotAllAgentPoolOrchestratorVersionSpecifiedAndUnchanged\b|aka\.ms/agent-pool-rest-api|Deleting agent ?pools? .{0,60}?(?:managed cluster|is not allowed)|(?:reducing|removing) (?:the number of )?agent ?pools? .{0,60}?not allowed",
            says="the call for the cluster changes its list of node pools",
            sample="(BadRequest) A new agent pool was introduced. Adding agent pools to an existing cluster is not allowed through managed cluster operations. For agent pool specific change, please use per agent pool operations: https://aka.ms/agent-pool-rest-api",
            near_miss="A new agent pool was added to the cluster",
        ),
    ),
    why="After its creation a cluster and its node pools are separate resources. A template, Terraform, Pulumi or ASO that lists other pools in agentPoolProfiles of the cluster than those that exist asks AKS to add or remove pools on the way, and AKS refuses the whole call. A default pool that was renamed, or replaced by hand, has the same effect.",
    remedy=(
        Step(
            "See which pools the cluster has.",
            run=(
                "az",
                "aks",
                "nodepool",
                "list",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the cluster call exactly these pools, and declare every further one as a resource of its own: Microsoft.ContainerService/managedClusters/agentPools, azurerm_kubernetes_cluster_node_pool, or az aks nodepool add."
        ),
        Step(
            "To replace the default pool, add the new one as a pool of its own first, and delete the old one with az aks nodepool delete."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update",
        "https://learn.microsoft.com/azure/aks/create-node-pools",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.request_refused",
    ),
    ask="az aks nodepool list -g {resource_group} --cluster-name {cluster} -o json",
)
