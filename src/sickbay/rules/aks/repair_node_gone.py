from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Node auto-repair wanted to repair an instance that no longer exists (InvalidParameter)",
    severity=Severity.WARNING,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"(?i)auto-?repair (?:reboot|reimage|redeploy) action failed.{0,200}?\bInvalidParameter\b|\bNode(?:Reboot|Reimage|Redeploy)Error\b.{0,300}?(?:\bInvalidParameter\b|is not an active Virtual Machine Scale Set VM instanceId)",
            says="the instance that was to be repaired is gone",
            sample="Node auto-repair reimage action failed due to an operation failure: InvalidParameter",
            near_miss="Node auto-repair reimage action failed due to an operation failure: VMExtensionProvisioningError",
        ),
    ),
    why="The repair of a node (reboot, reimage, redeploy) answered `InvalidParameter`: the scale-set instance behind the node had been removed in the meantime, mostly by a scale-down. Nothing is to be repaired; only a Node object may be left over.",
    remedy=(
        Step(
            "See whether the node is still listed, and whether its instance exists.",
            run=(
                "kubectl",
                "get",
                "nodes",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the Node object when no instance is behind it.",
            run=(
                "kubectl",
                "delete",
                "node",
                "{node}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants only nodes that exist",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-auto-repair-errors",
    ),
    leads_to=(
        "aks.auto_repair_failed",
        "kubernetes.node_not_ready",
    ),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> -o table",
)
