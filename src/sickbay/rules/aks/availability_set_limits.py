from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cluster stands on an availability set, which does not support the operation",
    severity=Severity.ERROR,
    categories=(
        Category.SCALING,
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"\b(?:WindowsAgentPoolAPIsNotSupported|\w+RequiresVMSS|VMSSRequiredFor\w+|\w+SupportsVMSSOnly|\w+NotAllowedOnVMAS|CRGConflictWithVMAS|MixedTypeNotSupported)\b|\bAgentPoolAPIsNotSupported\b|(?i:AgentPool APIs supported only for clusters with VMSS)|(?i:Availability ?Sets? (?:are |is )?not supported)|(?i:Client Error: Availability\b)|(?i:cluster is not using VirtualMachineScaleSets)|(?i:can only be applied on VirtualMachineScaleSets cluster)|(?i:Spot Virtual Machine is not supported in Avail)|(?i:aka\.ms/multiagentpoollimitations)|(?i:not supported (?:for|on|with|in) (?:clusters? (?:with|using) )?availability ?sets?)|(?i:requires? (?:a )?(?:cluster with )?(?:VMSS|virtual machine scale sets?) (?:agent ?pool|node ?pool|cluster))",
            says="the cluster has an availability set instead of scale sets",
            sample="AgentPoolAPIsNotSupported: AgentPool APIs supported only for clusters with VMSS agentpools. For more information, please check https://aka.ms/multiagentpoollimitations",
            near_miss="Availability sets are supported for this kind of machine",
        ),
    ),
    why="Old clusters were made with an availability set of single machines. Several node pools, the node pool commands, the cluster autoscaler, zones, and stopping or starting the cluster work only with scale sets, and the kind of a pool cannot be changed.",
    remedy=(
        Step(
            "See what the pools are made of.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "agentPoolProfiles[].type",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Migrate to scale sets or virtual machine pools: az aks update-legacy migrates an availability set; otherwise create a new cluster, which has scale sets by itself, and move the workload."
        ),
        Step("Until then scale the one pool with az aks scale, without a node pool name."),
    ),
    docs=("https://learn.microsoft.com/azure/aks/availability-sets-on-aks",),
    leads_to=(
        "aks.operation_failed",
        "aks.request_refused",
    ),
    ask="az aks show -g {resource_group} -n {cluster} --query agentPoolProfiles[].type -o tsv",
)
