from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A NAT gateway does not fit its subnet or addresses (basic SKU, zone, IPv6, in use)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)\bNatGateway(?:InUse|Cannot|NotSupported|Limit|Public|Basic|Subnet|Sku|Zone|And|Idle)\w*|NAT gateway .{0,160}?cannot be (?:deployed|attached|deleted|used|associated)",
            says="the NAT gateway is refused",
            sample='{"error":{"code":"NatGatewayCannotBeAttachedToSubnetContainingBasicSKUResources","message":"NAT gateway cannot be deployed on subnet containing Basic SKU Public IP addresses or Basic SKU Load Balancer."}}',
            near_miss="NAT gateway natgw was attached",
        ),
    ),
    why="A NAT gateway takes standard addresses and subnets without basic load balancers or basic public addresses; it has one zone, and it cannot be deleted while a subnet uses it.",
    remedy=(
        Step(
            "See what it is attached to.",
            run=(
                "az",
                "network",
                "nat",
                "gateway",
                "show",
                "-g",
                "<group>",
                "-n",
                "<gateway>",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Replace basic addresses and load balancers by standard ones, or detach the gateway first."
        ),
    ),
    leads_to=(
        "aks.deployment_failed",
        "aks.operation_failed",
        "aks.delete_blocked",
    ),
    docs=("https://learn.microsoft.com/azure/nat-gateway/troubleshoot-nat",),
    ask="az network nat gateway show -g <group> -n <gateway> -o json",
)
