from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The VM size is too small for a system node pool",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)System node ?pool(?: '?[\w-]+'?)? must use VM sku with (?:more than|at least) (?P<cores>\d+) cores|\bSystemPoolSkuTooLow\b|system (?:node )?pool .{0,80}?(?:too small|at least \d+ vCPUs)|VM SKU .{0,80}?does not have enough CPU/memory to run as an AKS node",
            says="the size is too small for a system pool",
            sample="Operation failed with status: 'Bad Request'. Details: System node pool must use VM sku with more than 2 cores and 4GB memory. Nodepool name: nodepool1.",
            near_miss="System node pool uses VM sku Standard_D4s_v5 with 4 cores and 16GB memory",
        ),
    ),
    why="A system node pool carries CoreDNS, the tunnel and metrics, so AKS asks for at least 2 vCPUs and 4 GB of memory, and allows no B-series sizes below that.",
    remedy=(
        Step(
            "Create the pool with a larger size.",
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
                "--mode",
                "System",
                "--node-vm-size",
                "Standard_D4ds_v5",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-system-pools",),
    leads_to=("aks.operation_failed",),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)
