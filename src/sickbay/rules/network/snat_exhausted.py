from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Outgoing connections fail because source ports are used up (SNAT or ephemeral port exhaustion)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)SNAT[ -](?:port )?exhaustion|(?:out of|run(?:ning|s)? out of|exhaust(?:ed|ing)|used up|no free|lack of) (?:all )?(?:available )?SNAT|SNAT ?Connection ?Count.{0,120}?\bfail|fail\w* SNAT connections?|SNAT (?:ports?|connections?) .{0,60}?(?:fail|exceed|used up|limit)|used SNAT ports?\b.{0,160}?(?:fail|time ?out|drop|intermittent)|SNAT port allocation fail|SNAT ports? (?:are |is )?exhausted|cannot assign requested address|\bEADDRNOTAVAIL\b|(?:HttpRequestException|WebException|SqlException|connect(?:ing|ion)? (?:to|attempt)|dial tcp|HttpClient)\b.{0,300}?Only one usage of each socket address|Only one usage of each socket address.{0,120}?\([\w.-]+\.[\w.-]+:\d{2,5}\)",
            says="outgoing connections find no free port",
            sample="dial tcp 20.1.2.3:443: connect: cannot assign requested address",
            near_miss="dial tcp 20.1.2.3:443: connect: connection refused",
            weight=TYPICAL,
            # Whoever wants to listen asks for an address of its own, not for a free port.
            unless=r"(?i)(?:bind|listen)\w*\b.{0,120}?(?:cannot assign requested address|EADDRNOTAVAIL)|\b(?:avoid|prevent|what happens (?:on|in|when|if|with|during)|document) .{0,60}?SNAT|SNAT .{0,60}?\bto the (?:docs?|documentation)\b",
        ),
    ),
    why="Outgoing connections share the source ports of the outbound address (SNAT) and of the pod (ephemeral ports); many short connections to one target use them up, and new ones fail until old ones time out.",
    remedy=(
        Step(
            "See the SNAT metrics of the load balancer.",
            run=(
                "az",
                "monitor",
                "metrics",
                "list",
                "--resource",
                "<load-balancer-id>",
                "--metric",
                "SnatConnectionCount",
            ),
            risk=Risk.READ,
        ),
        Step("Reuse connections in the program (pools, keep-alive)."),
        Step(
            "Give the cluster a NAT gateway, or more outbound addresses.",
            run=(
                "az",
                "aks",
                "update",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--load-balancer-managed-outbound-ip-count",
                "4",
            ),
            risk=Risk.DISRUPTIVE,
            verify="SnatConnectionCount shows no failed connections",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/snat-port-exhaustion",
    ),
    leads_to=("network.connection_times_out",),
    ask="az monitor metrics list --resource <load-balancer-id> --metric SnatConnectionCount",
)
