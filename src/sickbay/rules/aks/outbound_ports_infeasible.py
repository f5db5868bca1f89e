from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The outbound ports allocated to each node do not fit the outbound IPs (SNAT)",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"\b(?:LoadBalancerProfileAllocatedOutboundPorts\w+|InsufficientOutboundPorts|SpecifiedAllocatedOutboundPortsForOutboundRule\w*)\b|(?i:specified allocated outbound ports (?P<rule_ports>\d+) for outbound rule)|\bInvalidLoadBalancerProfileAllocatedOutboundPorts\b|(?i:allocated ports (?:(?P<ports>\d+) )?is not in an allowable range)",
            says="the allocated outbound ports do not fit",
            sample="Code: InvalidLoadBalancerProfileAllocatedOutboundPorts Message: Load balancer profile allocated ports 8000 is not in an allowable range given the number of nodes and IPs provisioned. Total node count 9 requires 72000 ports but only 64000 ports are available given 1 outbound public IPs.",
            near_miss="Load balancer profile allocated ports 1000 is in the allowable range",
        ),
    ),
    why="Each outbound address of the load balancer has 64,000 SNAT ports, and the profile gives a fixed number of them to every node, surge nodes and the autoscaler's maximum included. Together the nodes need more than there are.",
    remedy=(
        Step(
            "Add outbound addresses, or give each node fewer ports (a multiple of 8).",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--load-balancer-managed-outbound-ip-count",
                "<count>",
                "--load-balancer-outbound-ports",
                "<ports>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="nodes x ports wants to be at most addresses x 64000",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=("https://learn.microsoft.com/azure/aks/load-balancer-standard",),
    leads_to=("aks.operation_failed",),
    ask="az aks show -g {resource_group} -n {cluster} --query networkProfile.loadBalancerProfile",
)
