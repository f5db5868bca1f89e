from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Pods see the address of a node or gateway instead of the client (externalTrafficPolicy Cluster)",
    severity=Severity.WARNING,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:X-Forwarded-For|client IP|source IP|remote[_ ]addr\w*|X-Real-IP)\b.{0,80}?(?:shows?|is|are|always|contains?|gets?|being|becomes).{0,60}?\b(?:node|internal|kube-?proxy|load ?balancer|cluster|private|10\.\d+\.\d+\.\d+)\b.{0,40}?(?:IP|address)?.{0,40}?(?:instead|not the|rather than|behind)|(?:shows?|logs?|sees?|contains?|gets?) only .{0,60}?\b(?:node|internal|private|10\.\d+\.\d+\.[\dx*]+)\b.{0,60}?instead of .{0,30}?client|(?:los(?:e|es|ing|t)|(?:cannot|can't|don't|do not|unable to) (?:get|see|preserve)|how (?:do I|can I|can we|to) (?:get|see|preserve|keep)|not (?:getting|seeing|preserving)) (?:the )?(?:real |original |actual )?(?:client|source) (?:IP|address)|\b(?:client|source) IP(?: address(?:es)?)?\b.{0,60}?\b(?:not|n't) (?:being )?(?:available|visible|preserved?|persist\w*|passed on|forwarded)\b",
            says="pods do not see the client's address",
            sample="X-Forwarded-For shows the node IP instead of the client IP in my app behind the Azure load balancer",
            near_miss="X-Forwarded-For shows the client IP",
            weight=TYPICAL,
        ),
    ),
    why="With externalTrafficPolicy Cluster a node that gets a packet for a pod elsewhere rewrites its sender to its own address. With Local the address of the client is kept, and only nodes with a ready pod take traffic. Behind a gateway the client is in X-Forwarded-For only, which the ingress must be told to trust.",
    remedy=(
        Step(
            "See the policy of the service.",
            run=(
                "kubectl",
                "get",
                "service",
                "-A",
                "-o",
                "custom-columns=NAME:.metadata.name,POLICY:.spec.externalTrafficPolicy",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Keep the address of the client.",
            run=(
                "kubectl",
                "patch",
                "service",
                "-n",
                "<namespace>",
                "<service>",
                "-p",
                '{"spec":{"externalTrafficPolicy":"Local"}}',
            ),
            risk=Risk.DISRUPTIVE,
            verify="the log of a pod shows the client's address",
        ),
        Step(
            "Behind Application Gateway or Front Door set use-forwarded-headers in the configuration of the ingress controller.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/load-balancer-standard",
        "https://kubernetes.io/docs/tutorials/services/source-ip/",
    ),
    ask="kubectl get service -A -o yaml",
)
