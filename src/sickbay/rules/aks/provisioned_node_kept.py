from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Node auto-provisioning cannot remove a node: something on it forbids the disruption",
    severity=Severity.INFO,
    categories=(
        Category.SCALING,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)DisruptionBlocked|Cannot disrupt (?:Node|NodeClaim)(?:: (?P<reason>.{0,200}))?|(?:can't|cannot) consolidate node|karpenter\.sh/do-not-disrupt.{0,60}?true",
            says="a node may not be removed",
            sample='Normal  DisruptionBlocked  3s (x40 over 9h)  karpenter  Cannot disrupt Node: pdb "shop/cart" prevents pod evictions',
            near_miss="Normal  DisruptionTerminating  3s  karpenter  Disrupting Node: Underutilized/Delete",
            weight=TYPICAL,
        ),
    ),
    why="Karpenter empties a node before it removes it: a disruption budget without room, a pod or node with karpenter.sh/do-not-disrupt, or a lock on the resource group keeps it, and it is paid for on.",
    remedy=(
        Step(
            "See why each node stays.",
            run=(
                "kubectl",
                "get",
                "events",
                "-A",
                "--field-selector",
                "reason=DisruptionBlocked",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the budget room, remove the annotation, or remove the lock.",
            run=(
                "kubectl",
                "annotate",
                "node",
                "{node}",
                "karpenter.sh/do-not-disrupt-",
            ),
            verify="kubectl get nodeclaims shows fewer nodes",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-node-auto-provision",
        "https://learn.microsoft.com/azure/aks/node-autoprovision-disruption",
    ),
    ask="kubectl get events -A --field-selector reason=DisruptionBlocked",
)
