from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The number of nodes is outside of what a pool or cluster may have: too many, or none in a system pool",
    severity=Severity.ERROR,
    categories=(
        Category.SCALING,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:AgentPoolMaxCountExceeded|MaxAgentPoolCountReached|MaxPodsLimitExceeded)\b|(?:agentPoolProfile\.|node )(?:count|maxCount) was (?P<asked>\d+)\. It must be .{0,80}?less than or equal to \w+: ?(?P<limit>\d+)|exceeds? (?:the )?max(?:imum)?(?: number)? of (?P<most>[\d,]+) nodes|node count .{0,60}?must be (?:between|less than)",
            says="more nodes, or fewer, are asked for than there may be",
            sample="(InvalidParameter) The value of parameter agentPoolProfile.count is invalid. Error details: agentPoolProfile.count was 1200. It must be greater or equal to minCount:0 and less than or equal to maxCount:1000.",
            near_miss="agentPoolProfile.count was 120 and is now 130",
        ),
    ),
    why="A system pool has at least one node; only user pools of scale sets may have none. A node pool holds at most 1,000 nodes and a cluster 5,000 (1,000 with some network plugins and tiers); the autoscaler's maximum counts as well. The portal stops earlier than the command line.",
    remedy=(
        Step(
            "See how many nodes each pool has.",
            run=(
                "az",
                "aks",
                "nodepool",
                "list",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--query",
                "[].{name:name,count:count,max:maxCount}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Spread the nodes over another pool, in steps of some hundred nodes.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<new-pool>",
                "--node-count",
                "<count>",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/aks-at-scale-troubleshoot-guide",
        "https://learn.microsoft.com/azure/aks/quotas-skus-regions",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.parameter_invalid",
    ),
    ask="az aks nodepool list -g {resource_group} --cluster-name {cluster} -o json",
)
