from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="AKS does not allow the VM size for node pools: too small, or a GPU size it does not support (restricted SKU)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:VM )?SKU(?:s|\(s\))?\b.{0,120}?(?:is|are) restricted by AKS|aka\.ms/aks/restricted-skus|(?:VM size|SKU) .{0,80}?(?:is|are) (?:not allowed|restricted) (?:by|in|for) AKS\b",
            says="AKS restricts the VM size",
            sample="(BadRequest) The VM SKUs chosen for agentpool(s) AgentPoolProfile:userpool are restricted by AKS. This is typically due to small CPU/Memory. Please see https://aka.ms/aks/restricted-skus for more details.",
            near_miss="The VM SKU Standard_D4s_v5 was chosen for agentpool np1",
        ),
    ),
    why="Sizes with fewer than 2 vCPUs or 2 GB (4 GB for system pools), retired series and GPU sizes without a tested driver cannot run kubelet, the add-ons and their reservations, so AKS refuses them even where Azure sells them. Quota or region is not the reason.",
    remedy=(
        Step(
            "See the sizes that are offered in the region.",
            run=(
                "az",
                "vm",
                "list-skus",
                "-l",
                "{location}",
                "--resource-type",
                "virtualMachines",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make the pool with a larger or supported size.",
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
                "--node-vm-size",
                "Standard_D4s_v5",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/quotas-skus-regions",),
    leads_to=("aks.request_refused",),
    ask="az vm list-skus -l {location} --resource-type virtualMachines -o table",
)
