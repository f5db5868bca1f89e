from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="No node has a free device that fits the resource claim of a pod (dynamic resource allocation)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"\d+ (?:node\(s\) )?(?:cannot allocate all claims|resourceclaim not available on the node|no (?:more )?devices? (?:available|match))|claim (?P<claim>[\w./-]+) .{0,60}?cannot be allocated|waiting for resource driver to (?:allocate|provide)|ResourceClaim .{1,100}?(?:no suitable|not allocatable|DeviceClass \S+ .{0,20}not found)|request \S{1,60}: device class (?P<class>\S{1,80}) .{0,20}?(?:does not exist|not found)|could not retrieve device class",
            says="the resource claim of a pod cannot be allocated on any node",
            sample="0/3 nodes are available: 3 cannot allocate all claims. still not schedulable, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
            near_miss="0/3 nodes are available: 3 Insufficient nvidia.com/gpu.",
        ),
    ),
    why="The scheduler gives devices out of the ResourceSlices that drivers publish. None of them fits the class and the selectors of the claim, all that fit are taken, or the driver publishes nothing from its nodes.",
    remedy=(
        Step(
            "See which devices are published.",
            run=(
                "kubectl",
                "get",
                "resourceslices",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See what the claims ask for, and who holds the devices.",
            run=(
                "kubectl",
                "get",
                "resourceclaims",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Start the driver on the nodes, correct the device class or selector, or add nodes with such devices.",
            risk=Risk.SAFE,
            verify="the pod is scheduled",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",),
    leads_to=("kubernetes.pod_pending",),
    ask="kubectl get resourceslices,resourceclaims -A",
)
