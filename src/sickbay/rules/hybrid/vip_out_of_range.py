from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The virtual IP (control plane IP, VIP) of a cluster on Azure Local does not fit the pools of its network",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)\bLoadBalancerVIPOutOfRange\b|\b(?:VIP|virtual ip|control ?plane ?(?:endpoint )?ip)(?: address)?:? '?(?P<address>[\d.]+)'? (?:is|was) (?:out of|outside|not (?:with)?in) (?:of )?(?:the )?(?:vip |ip |address |logical ?network |subnet )*(?:range|pool|prefix|subnet)",
            says="the address {address} is not one of the pool",
            sample="Reason: LoadBalancerVIPOutOfRange Message: Load balancer VIP 10.10.20.250 is out of the vip address range",
            near_miss="Load balancer VIP 10.10.20.25 was taken from the vip address range",
        ),
        Signature(
            pattern=r"(?i)\bcontrol ?plane ?(?:endpoint )?(?:ip|vip)(?: address)?:? '?(?P<address>[\d.]{7,15})'? (?:is|was|lies|falls) (?:with)?in(?:side)? (?:of )?(?:the )?(?:vip |ip |address |logical ?network |node )*(?:pool|range)|control ?plane ?ip\b.{0,60}?(?:overlaps?|conflicts?) with (?:the )?(?:ip |address )?pool",
            says="the control plane address lies in the pool",
            sample="control plane IP 10.0.0.55 is within the ip pool range of logical network lnet1",
            near_miss="control plane IP 10.0.0.55 is free in logical network lnet1",
            weight=TYPICAL,
        ),
    ),
    why="Control plane and load balancer of a cluster take their virtual IP from the VIP pool or the logical network that the cluster was given. An address that was written by hand and lies outside it is never bound.",
    remedy=(
        Step(
            "See the pools and prefixes of the network.",
            run=("az", "stack-hci-vm", "network", "lnet", "list", "-o", "json"),
            risk=Risk.READ,
        ),
        Step(
            "Give an address that is free in the prefix of the network (and inside the VIP pool, where it has one), and create the cluster again.",
            risk=Risk.DISRUPTIVE,
            verify="az aksarc show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-hci-ip-address-planning",),
    leads_to=("hybrid.cluster_failed", "kubernetes.webhook_denied"),
    ask="az stack-hci-vm network lnet list -o json",
)
