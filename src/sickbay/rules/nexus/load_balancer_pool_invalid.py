from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A load balancer address pool of a Nexus Kubernetes cluster is not valid: overlap, taken or outside its network",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:ip ?Address ?Pools?|(?:bgp|l2) ?Service ?Load ?Balancer ?Configuration|(?:service )?load ?balancer (?:ip )?(?:address )?pools?)\b.{0,160}?(?:overlap\w*|(?:not|outside|out) (?:with)?in (?:the )?|outside (?:of )?the|already (?:in use|used|allocated|assigned)|(?:does not|doesn't) exist|not found|duplicate|is (?:invalid|not valid)|must be (?:within|unique|in))",
            says="an address pool is refused",
            sample="bgpServiceLoadBalancerConfiguration.ipAddressPools pool1: addresses 10.6.1.0/28 overlap with pool2",
            near_miss="bgpServiceLoadBalancerConfiguration.ipAddressPools pool1: addresses 10.6.1.0/28",
            unless=r"(?i)immutable|cannot be (?:changed|updated|modified)|backendAddressPools?|Microsoft\.Network/",
            weight=TYPICAL,
        ),
    ),
    why="Services of type LoadBalancer take their addresses from the ipAddressPools of the BGP or L2 configuration of the cluster. The ranges must not overlap each other, the nodes or another cluster, must lie in the L3 network for L2 and be free, and every pool that an advertisement names must exist.",
    remedy=(
        Step(
            "See the pools.",
            run=(
                "az",
                "networkcloud",
                "kubernetescluster",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "networkConfiguration",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give each pool a range of its own that no node, pool or other cluster uses, and create or update the cluster again.",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud kubernetescluster show -g {resource_group} -n {name} wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-kubernetes-service-load-balancer",
    ),
    ask="az networkcloud kubernetescluster show -g {resource_group} -n {name} --query networkConfiguration",
    leads_to=("nexus.kubernetes_cluster_failed",),
)
