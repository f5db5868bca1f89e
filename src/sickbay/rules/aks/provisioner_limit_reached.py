from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A NodePool of node auto-provisioning (Karpenter) has reached its own limit of CPU or memory",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.NODES),
    detect=(
        Signature(
            pattern=r"all available instance types exceed limits for (?:nodepool|provisioner):? ?\"?(?P<nodepool>[\w.-]*)|(?P<resource>cpu|memory|nodes|[\w.-]+/gpu) resource usage of \S{1,30} exceeds limit of (?P<limit>[\w.]+)|(?i:node ?pool \S{0,80} ?(?:resource )?limits? (?:has been |have been )?(?:exceeded|reached))",
            says="the limits of the NodePool leave no room for another node",
            sample='Failed to schedule pod, all available instance types exceed limits for nodepool: "general-purpose"',
            near_miss="40 out of 458 instance types were excluded because they would breach limits",
        ),
    ),
    why="`spec.limits` of a NodePool caps the CPU and memory of all its nodes together. What runs already, and the smallest size that would fit the pod, exceed it, so Karpenter makes no further node. It is no quota of Azure.",
    remedy=(
        Step(
            "Compare limits and use.",
            run=("kubectl", "get", "nodepools.karpenter.sh", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Raise or remove `spec.limits`, or let another NodePool take the pods.",
            run=("kubectl", "edit", "nodepools.karpenter.sh"),
            risk=Risk.SAFE,
            verify="kubectl get nodeclaims shows a new claim",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/node-autoprovision-node-pools",),
    leads_to=("kubernetes.pod_pending", "aks.provisioner_unfit", "aks.node_claim_failed"),
    ask="kubectl get nodepools.karpenter.sh -o yaml",
)
