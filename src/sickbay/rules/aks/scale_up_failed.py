from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cluster autoscaler could not add nodes",
    severity=Severity.ERROR,
    categories=(Category.SCALING,),
    detect=(
        Signature(
            pattern=r"\bFailedToScaleUpGroup\b|\bScaleUp(?:Failed|TimedOut)\b|Failed adding \d+ nodes to group (?P<third>[\w-]+)|(?i:Scale-?up failed for group (?P<group>[\w-]+))|(?i:failed to increase (?:node group|ASG|scale set) size)|Failed to scale up: |(?i:could not compute total resources)|No node info for: |\d+ in backoff after failed scale-up|[Nn]ode group \S+ is not ready for scale-?up|Disabling scale-up for node group (?P<other>[\w-]+)",
            says="the autoscaler could not add nodes",
            sample="Warning FailedToScaleUpGroup 29s cluster-autoscaler Scale-up failed for group aks-np1-31-vmss: unexpected error while trying to increase size",
            near_miss="Normal ScaledUpGroup 30s cluster-autoscaler Scale-up: group aks-np1-31-vmss size set to 2",
            weight=SYMPTOM,
        ),
    ),
    why="The autoscaler asked Azure for more machines and was refused; it then leaves that node group alone for a while, and pods stay Pending. The reason is in the error of the scale set: quota, capacity, addresses, permissions or policy.",
    remedy=(
        Step(
            "Read what the autoscaler says of the group.",
            run=(
                "kubectl",
                "get",
                "configmap",
                "-n",
                "kube-system",
                "cluster-autoscaler-status",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read the failed operations of the node resource group.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "-g",
                "{node_resource_group}",
                "--status",
                "Failed",
                "--offset",
                "1d",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/cluster-autoscaler-overview",),
    leads_to=(
        "kubernetes.insufficient_resources",
        "kubernetes.pod_pending",
        "aks.node_claim_failed",
    ),
)
