from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The subnets of the node pools do not fit together: all in one virtual network, and set for all pools or none",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"(?i)all or none of the agent ?pools\b|agent ?pools? .{0,80}?(?:must|should|have to) (?:be in|use|have) .{0,60}?same (?:virtual network|vnet)|(?:pod|vnet|node)[ _]?subnet ?(?:id)?\b.{0,160}?(?:same (?:virtual network|vnet)|must be (?:in|different|set)|must (?:not )?be the same|cannot be the same|is (?:only )?(?:not )?(?:supported|allowed) )|subnets? of (?:the )?(?:same|different) (?:virtual network|vnet)\b.{0,60}?(?:agent ?pool|node ?pool|must)|\b(?:SubnetNotInSameVnet|PodSubnet\w*(?:Invalid|NotSet|NotSupported)|VnetSubnetID\w*(?:Invalid|NotSet)|AgentPoolsSubnet\w+)\b",
            says="the subnets of the pools are refused",
            sample="BadRequest: Details: All or none of the agentpools should set subnet",
            near_miss="agent pools np1 and np2 use subnet aks of network vnet1",
            weight=TYPICAL,
            unless=r"(?i)not enough|SubnetIsFull|does not have enough|delegat|service endpoint",
        ),
    ),
    why="Either every pool of a cluster names a subnet or none does, and all of them lie in one virtual network. A pod subnet belongs to that network too, must be another one than that of the nodes, and needs Azure CNI with dynamic or static allocation.",
    remedy=(
        Step(
            "See the subnets of the pools.",
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
                "[].{name:name,nodes:vnetSubnetId,pods:podSubnetId}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the new pool a subnet of the same network, or leave the subnet out where the cluster has none of your own."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/node-pool-unique-subnet",),
    leads_to=("aks.request_refused",),
    ask="az aks nodepool list -g {resource_group} --cluster-name {cluster} -o json",
)
