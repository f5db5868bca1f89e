from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Two rules of the Azure load balancer want the same port on the same frontend or backend",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\bRulesUseSame(?:Frontend|Backend)Port\w*|\bLoadBalancingRules?\w*(?:Same|Duplicate)\w*Port\w*|(?:Load balancing|Inbound NAT) rules? .{0,600}?use the same (?:frontend|backend)? ?(?:port|protocol)|\bmultiple services? use the same (?:port|frontend)\b",
            says="two rules of the load balancer want the same port",
            sample='{"error":{"code":"RulesUseSameFrontendPortProtocolAndIPConfig","message":"Load balancing rules /a and /b with floatingIP disabled use the same protocol"}}',
            near_miss="Load balancing rule a was written",
        ),
    ),
    why="On one frontend each port and protocol can have one rule, and without floating IP each backend port of a pool one rule. Two services that share an address, or a rule that somebody made by hand, want the same.",
    remedy=(
        Step(
            "See which services share the address.",
            run=(
                "kubectl",
                "get",
                "services",
                "-A",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give one of them another port or address, or delete the rule that was made by hand.",
            verify="kubectl describe service: EnsuredLoadBalancer",
        ),
    ),
    leads_to=("kubernetes.load_balancer_fails",),
    docs=("https://cloud-provider-azure.sigs.k8s.io/topics/loadbalancer/",),
    ask="az network lb rule list -g {node_resource_group} --lb-name kubernetes -o table",
)
