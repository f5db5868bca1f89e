from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The node pool has room for fewer pods than AKS needs on it (InsufficientMaxPods)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"\bInsufficientAgentPoolMaxPodsPerAgentPool\b|\bInsufficientMaxPods\b|(?i:invalid total maxPods.{0,80}?total maxPods\((?P<product>[\d*]+)\) should be larger than (?P<least>\d+))|(?i:aka\.ms/aks-min-max-pod)|(?i:maxPods .{0,60}?(?:must be (?:at least|between|greater|larger)|is less than the minimum))",
            says="the pods per node times the nodes are too few",
            sample="InsufficientMaxPods: The AgentPoolProfile 'default' has an invalid total maxPods(maxPods per node * node count), the total maxPods(12*1) should be larger than 30. Please refer to aka.ms/aks-min-max-pod for more detail.",
            near_miss="The AgentPoolProfile 'default' has a total maxPods of 110",
        ),
    ),
    why="The pods of the system need room: pods per node times number of nodes must be above 30 in a system pool, and no node may have fewer than 10. The value cannot be changed on an existing pool.",
    remedy=(
        Step(
            "Create the pool with more pods per node (--max-pods, max_pods, maxPods: 30 or more is usual) or with more nodes."
        ),
        Step(
            "With Azure CNI in a small subnet take Azure CNI Overlay instead of a low value: pods then take no addresses of the subnet."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/quotas-skus-regions",
        "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.request_refused",
    ),
    ask="az aks nodepool list -g {resource_group} --cluster-name {cluster} -o json",
)
