from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A rule for a network security group collides with one that is there (priority, name or limit)",
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
    ),
    why="AKS writes a rule into the network security group for each port of a public service. A rule of your own has the same priority and direction, or the group is at its limit of rules, so nothing is written.",
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
