from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A rule of a network security group is refused: it collides with another, is incomplete or over the limit",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)\bSecurityRuleConflict\b|\bSecurityRule(?:Count)?Limit\w*|\bNetworkSecurityGroupRule\w*Limit\w*|Security rule \S{1,400} conflicts with rule|Cannot create more than (?P<limit>\d+) security rules",
            says="a security rule cannot be written",
            sample='{"error":{"code":"SecurityRuleConflict","message":"Security rule a conflicts with rule b. Rules cannot have the same Priority and Direction."}}',
            near_miss="Security rule a was created",
        ),
        Signature(
            pattern=r"\bSecurityRuleInvalid\w+|\bSecurityRule\w*(?:AddressPrefix|PortRange)\w*(?:Invalid|Conflict|Count)\w*",
            says="a security rule is not valid",
            sample='{"error":{"code":"SecurityRuleInvalidAddressPrefix","message":"Security rule has invalid Address prefix. Value provided: foo"}}',
            near_miss="Security rule a was created",
        ),
        Signature(
            pattern=r"\bSecurityRule(?:Parameter|Missing|Unsupported|NotSupported|Duplicate|Protocol|Source|Destination)\w*|\b(?:Missing|Invalid|Required|Unsupported|Duplicate)SecurityRule\w*|Security rule (?:with Id )?\S{1,400} must specify|security rule parameters are missing",
            says="a rule of the security group is incomplete or contradicts itself",
            sample='{"error":{"code":"SecurityRuleParametersUnsupportedForPortRanges","message":"Security rule with Id /subscriptions/0/securityRules/k8s-azure-lb_allow_IPv4_1 must specify a non-empty value for either DestinationPortRange or DestinationPortRanges, but not both."}}',
            near_miss="Security rule k8s-azure-lb_allow_IPv4_1 was updated",
            weight=TYPICAL,
        ),
    ),
    why="AKS writes a rule into the network security group for each port of a public service. A rule of your own has the same priority and direction, or the group is at its limit of rules, so nothing is written. Azure takes a group only as a whole: one rule in it without ports, sources or destinations has every change refused, those of AKS, too.",
    remedy=(
        Step(
            "List the rules with their priorities.",
            run=(
                "az",
                "network",
                "nsg",
                "rule",
                "list",
                "-g",
                "{node_resource_group}",
                "--nsg-name",
                "<nsg>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step("Complete or remove the rule that the message names."),
        Step(
            "Move rules of your own out of the priorities 500 to 4096 that AKS uses, or remove what is not needed.",
            verify="kubectl describe service: EnsuredLoadBalancer",
        ),
    ),
    leads_to=(
        "kubernetes.load_balancer_fails",
        "aks.deployment_failed",
        "aks.operation_failed",
    ),
    docs=("https://learn.microsoft.com/azure/virtual-network/network-security-groups-overview",),
    ask="az network nsg rule list -g {node_resource_group} --nsg-name <nsg> -o table",
)
