from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program connects to an IPv6 address from a node or pod that has no IPv6 (network is unreachable)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"dial (?:tcp|udp)6? \[(?P<address>[\da-fA-F]{1,4}:[\da-fA-F:]{2,40})\]:\d+: connect: (?:network is unreachable|cannot assign requested address|no route to host)|connect ENETUNREACH (?P<other>[\da-fA-F]{1,4}:[\da-fA-F:]{2,40})",
            says="there is no way to the IPv6 address {address}",
            sample="dial tcp [2603:1030:20e:3::23c]:443: connect: network is unreachable",
            near_miss="dial tcp 20.1.2.3:443: connect: network is unreachable",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The name has an AAAA record, and the program chose it, but a single-stack cluster has no IPv6 route. Most programs fall back on IPv4; one that does not, or a name that has only an AAAA record, fails.",
    remedy=(
        Step(
            "See what the name resolves to.",
            run=(
                "kubectl",
                "run",
                "dns",
                "--image=mcr.microsoft.com/azure-cli",
                "--restart=Never",
                "-it",
                "--rm",
                "--",
                "nslookup",
                "{host}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Tell the program to prefer IPv4 (for Java -Djava.net.preferIPv4Stack=true, for Node.js --dns-result-order=ipv4first), or take AAAA answers out in CoreDNS (template ANY AAAA).",
        ),
        Step(
            "Or make the cluster dual stack.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--ip-families",
                "ipv4,ipv6",
            ),
            risk=Risk.DISRUPTIVE,
            verify="a connection to the name succeeds",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/configure-dual-stack",),
    leads_to=("network.connection_times_out", "network.snat_exhausted"),
    ask="kubectl exec <pod> -- ip -6 route",
)
