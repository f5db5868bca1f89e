from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A backend pool with outbound rules cannot be used as the service wants it",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\bOutboundRuleCannotBeUsedWith\w+|\bOutboundRule\w*(?:Conflict|NotAllowed|Invalid|Missing)\w*|\bLoadBalancingRuleMustDisableSNATSinceSameFrontendIPConfigurationIsReferencedByOutboundRule\b",
            says="an outbound rule excludes what the service wants",
            sample='{"error":{"code":"OutboundRuleCannotBeUsedWithBackendAddressPoolThatIsReferencedBySecondaryIpConfigurations","message":"OutboundRule cannot be used"}}',
            near_miss="OutboundRule aksOutboundRule was written",
        ),
    ),
    why="The load balancer of the cluster has outbound rules. Azure refuses a pool with such rules for secondary IP configurations, for another address family, or together with default outbound access of another rule (DisableOutboundSnat).",
    remedy=(
        Step(
            "Look at the outbound rules and pools.",
            run=(
                "az",
                "network",
                "lb",
                "outbound-rule",
                "list",
                "-g",
                "{node_resource_group}",
                "--lb-name",
                "kubernetes",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the secondary IP configuration, frontend or rule that was added by hand; use another address for the service than for the outbound rule."
        ),
    ),
    leads_to=(
        "kubernetes.load_balancer_fails",
        "aks.operation_failed",
    ),
    docs=("https://learn.microsoft.com/azure/aks/load-balancer-standard",),
    ask="az network lb outbound-rule list -g {node_resource_group} --lb-name kubernetes -o json",
)
