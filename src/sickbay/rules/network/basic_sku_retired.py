from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Basic SKU public IP addresses and load balancers are retired: Azure makes no new ones, Standard SKU is needed",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\bIPv[46]BasicSkuPublicIpCountLimitReached\b|Cannot create more than \d+ IPv[46] Basic SKU public IP|(?i:basic sku (?:public ip(?: address(?:es)?)?|load ?balancers?) .{0,60}?(?:retired|no longer|not supported|cannot be created))|(?i:basic load balancer (?:sku )?(?:is|are|has been) (?:retired|no longer supported|deprecated))",
            says="Azure makes no address of the Basic SKU any more",
            sample="(IPv4BasicSkuPublicIpCountLimitReached) Cannot create more than 0 IPv4 Basic SKU public IP addresses for this subscription in this region.",
            near_miss="Cannot create more than 20 public IP addresses for this subscription in this region.",
        ),
    ),
    why="Basic public IP addresses and Basic load balancers were retired on 30 September 2025; the number that a subscription may create is 0. A service, VM, gateway or cluster that asks for one (often by leaving out the SKU in an old API or tool) is refused.",
    remedy=(
        Step(
            "See which addresses and load balancers are still Basic.",
            run=(
                "az",
                "network",
                "public-ip",
                "list",
                "--query",
                "[?sku.name==Basic].{name:name,group:resourceGroup}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            'Ask for Standard: `--sku Standard`, `sku = "Standard"` in Terraform, or a newer version of the tool.',
        ),
        Step(
            "Move a cluster with a Basic load balancer to Standard.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--load-balancer-sku",
                "Standard",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show --query networkProfile.loadBalancerSku wants standard",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/virtual-network/ip-services/public-ip-basic-upgrade-guidance",
        "https://learn.microsoft.com/azure/aks/upgrade-basic-load-balancer-on-aks",
    ),
    leads_to=(
        "aso.quota_exceeded",
        "kubernetes.load_balancer_fails",
        "aks.operation_failed",
        "aks.deployment_failed",
    ),
    ask="az network public-ip list -o json",
)
