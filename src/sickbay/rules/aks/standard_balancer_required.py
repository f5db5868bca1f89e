from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cluster has a Basic load balancer, and the request needs the Standard SKU",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)basic (?:sku )?load ?balancers? (?:is|are|does|do) ?(?:not|n't) (?:supported|allowed|support)\b|standard (?:sku )?load ?balancer is required|(?:requires?|needs?|only supported (?:with|on|for)) (?:a |the )?(?:cluster with )?(?:a )?standard (?:sku )?load ?balancer|load ?balancer ?sku .{0,40}?(?:must be|has to be|should be) .?standard|not supported (?:with|on|for) (?:a )?basic (?:sku )?load ?balancer|\bBasicLoadBalancer\w*Not(?:Supported|Allowed)\w*\b",
            says="the request needs the Standard load balancer",
            sample="Operation failed with status: 'Bad Request'. Details: Basic load balancers are not supported with multiple node pools. Create a cluster with standard load balancer selected to use multiple node pools, learn more at aka.ms/aks/nodepools.",
            near_miss="The cluster has a standard load balancer with two frontends",
            weight=TYPICAL,
            unless=r"(?i)retired|retirement|deprecated|public ip address .{0,60}?sku|different sku",
        ),
    ),
    why="Several node pools, zones, authorized IP ranges, private clusters and node public addresses exist only beside a load balancer of SKU Standard. Basic was chosen when the cluster was made, is retired since September 2025, and cannot be changed by an update: AKS has a migration of its own, or a new cluster is needed.",
    remedy=(
        Step(
            "See the SKU.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "networkProfile.loadBalancerSku",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Migrate the cluster to the Standard SKU; its public addresses change.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--load-balancer-sku",
                "standard",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show --query networkProfile.loadBalancerSku wants standard",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/load-balancer-standard",
        "https://learn.microsoft.com/azure/aks/upgrade-basic-load-balancer-on-aks",
    ),
    leads_to=("aks.request_refused",),
    ask="az aks show -g {resource_group} -n {cluster} --query networkProfile -o json",
)
