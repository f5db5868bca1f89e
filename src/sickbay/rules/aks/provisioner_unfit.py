from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Node auto-provisioning (Karpenter) finds no VM size that fits the NodePool and the pod",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.NODES),
    detect=(
        Signature(
            pattern=r"\bNoCompatibleInstanceTypes\b|(?i:nodepool requirements filtered out all)|\bno instance type (?:met|has|had|which|satisfied)\b|(?i:no instance types? (?:are )?available)\b.{0,200}?(?i:nodepool|nodeclaim|karpenter)",
            says="no VM size is left that meets all requirements",
            sample='Warning  FailedScheduling  2m  karpenter  Failed to schedule pod, incompatible with nodepool "default", daemonset overhead={"cpu":"915m","pods":"9"}, no instance type satisfied resources {"cpu":"40915m","pods":"10"} and requirements karpenter.azure.com/sku-family In [D]',
            near_miss="Normal  Nominated  2m  karpenter  Pod should schedule on: nodeclaim/default-x7k2p",
            unless=r"Cannot disrupt|can't (?:consolidate|replace)|(?i:filtered.{0,20}because they would breach)",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"incompatible with (?:nodepool|provisioner) \"(?P<pool>[\w.-]+)\"",
            says="the pod does not go with the NodePool {pool}",
            sample='Failed to schedule pod, incompatible with nodepool "arm", daemonset overhead={"cpu":"915m"}, incompatible requirements, label "kubernetes.io/arch" does not have known values',
            near_miss='Failed to schedule pod, incompatible with nodepool "gpu", daemonset overhead={"cpu":"1"}, did not tolerate sku=gpu:NoSchedule',
            unless=r"did not tolerate|Cannot disrupt|can't (?:consolidate|replace)",
            weight=TYPICAL,
        ),
    ),
    why="Karpenter takes every VM size of the region, and strikes out those that the requirements of the NodePool exclude (family, architecture, zone, spot or not), that lack the CPU, memory or GPU of the pod, and that Azure refused lately (quota, capacity). None is left, so no node is made and the pod stays Pending.",
    remedy=(
        Step(
            "Compare the requirements of the pools with the pod's node selector, affinity and requests.",
            run=("kubectl", "describe", "nodepools.karpenter.sh"),
            risk=Risk.READ,
        ),
        Step(
            "See which sizes the subscription may use in the region, and in which zones.",
            run=("az", "vm", "list-skus", "-l", "{location}", "--zone", "--all", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Loosen the requirements (more families, zones or sizes; both spot and on-demand), or lower the requests of the pod.",
            run=("kubectl", "edit", "nodepools.karpenter.sh"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodeclaims shows a new claim",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-node-auto-provision",
        "https://learn.microsoft.com/azure/aks/node-autoprovision-node-pools",
    ),
    leads_to=("kubernetes.pod_pending", "aks.node_claim_failed"),
    ask="kubectl get events -A --field-selector source=karpenter",
)
