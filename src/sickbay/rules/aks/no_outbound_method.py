from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The scale set has no outbound method: no NAT gateway, outbound rule or route to the internet",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"\bOutboundConnectivityNotEnabledOnVM(?:SS)?\b",
            says="the scale set has no outbound connectivity",
            sample="Node auto-repair reimage action failed due to an operation failure: OutboundConnectivityNotEnabledOnVMSS",
            near_miss="OutboundConnectivityEnabledOnVMSS: reimage completed",
        ),
    ),
    why="`OutboundConnectivityNotEnabledOnVM` means that Azure knows of no explicit way out for the machine: a standard load balancer without outbound rule, no NAT gateway on the subnet, no default route, and no default outbound access.",
    remedy=(
        Step(
            "See which outbound type the cluster has and what the subnet offers.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "networkProfile.{type:outboundType,lb:loadBalancerProfile.effectiveOutboundIPs}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Attach a NAT gateway to the node subnet, or restore the outbound rule or the default route.",
            risk=Risk.DISRUPTIVE,
            verify="curl -I https://mcr.microsoft.com on a node wants HTTP 200",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-auto-repair-errors",
        "https://learn.microsoft.com/azure/aks/egress-outboundtype",
    ),
    leads_to=("aks.outbound_blocked", "aks.auto_repair_failed"),
    ask="az aks show -g {resource_group} -n {cluster} --query networkProfile",
)
