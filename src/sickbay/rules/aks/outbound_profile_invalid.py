from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The load balancer or NAT gateway profile is not valid (outbound addresses, idle timeout, ports)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bInvalid(?:NATGateway|LoadBalancer)Profile(?:Idle|Managed|IP|Allocated|Effective)?\w*\b|(?i:(?:loadBalancerProfile|natGatewayProfile|load balancer profile|nat gateway profile)\b.{0,160}?(?:\binvalid\b|must be|cannot|not (?:allowed|supported|valid)|out of range|between|mutually|required))|(?i:--(?:load-balancer|nat-gateway)-(?:allocated-ports|managed-outbound-ip-count|idle-timeout|outbound-ports?|outbound-ips|outbound-ip-prefixes)\b.{0,100}?(?:must|in the range|not a multiple|invalid|cannot))|(?i:idleTimeoutInMinutes\b.{0,60}?(?:\binvalid\b|between|must))",
            says="the outbound profile of the request is refused",
            sample="InvalidLoadBalancerProfileIdleTimeout: The value of loadBalancerProfile.idleTimeoutInMinutes must be between 4 and 120.",
            near_miss="loadBalancerProfile: managedOutboundIPs count 1",
            weight=TYPICAL,
            unless=r"(?i)NotExist|was not found|AttachedToAnother|NotInTheSame|NotStandardSKU|HasManagedOutboundIPTag|not enough|infeasible|OutboundIPs?(?:Prefix\w*)?\b.{0,40}?not|AllocatedOutboundPorts|OutboundPort",
        ),
    ),
    why="Each outbound type takes its own profile: loadBalancer takes a number of managed addresses, or your addresses or prefixes (one of the three), an idle timeout of 4 to 120 minutes and allocated ports in multiples of 8; managedNATGateway takes 1 to 16 addresses and 4 to 120 minutes; userDefinedRouting takes neither.",
    remedy=(
        Step(
            "See the profile that the cluster has.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "networkProfile",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Send values within the limits.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--load-balancer-managed-outbound-ip-count",
                "2",
                "--load-balancer-idle-timeout",
                "30",
            ),
            risk=Risk.SAFE,
            verify="az aks show --query networkProfile wants the new values",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/load-balancer-standard",
        "https://learn.microsoft.com/azure/aks/nat-gateway",
    ),
    leads_to=("aks.request_refused",),
    ask="az aks show -g {resource_group} -n {cluster} --query networkProfile -o json",
)
