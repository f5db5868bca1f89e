from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure took spot nodes back",
    severity=Severity.WARNING,
    categories=(Category.NODES, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?i)\bPreemptScheduled\b|VM eviction (?:notice|scheduled)|spot (?:vm|node|instance)s? .{0,80}?(?:was|were|has been|will be|is being) (?:evicted|preempted|reclaimed|deallocated)|\bSpotVMEvict\w*|scheduled event of type Preempt",
            says="a spot node was evicted",
            sample="Warning PreemptScheduled node/aks-spot-31-vmss000002 IMDS query scheduled event of type Preempt, eviction at 12:00",
            near_miss="spot node aks-spot-31-vmss000002 is running",
        ),
    ),
    why="A spot machine runs only as long as Azure has capacity to spare and the price stays below its limit. It is taken back with 30 seconds of notice, and with it the node.",
    remedy=(
        Step(
            "See what runs on spot nodes.",
            run=("kubectl", "get", "nodes", "-l", "kubernetes.azure.com/scalesetpriority=spot"),
            risk=Risk.READ,
        ),
        Step(
            "Give workloads that must not stop a pool of regular priority, and spread the rest over several sizes.",
            risk=Risk.SAFE,
            verify="kubectl get pods -A -o wide wants no vital pod on a spot node",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/spot-node-pool",),
    leads_to=("kubernetes.node_not_ready",),
    ask="kubectl get events -A --field-selector reason=PreemptScheduled",
)
