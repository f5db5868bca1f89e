from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The DNS server does not answer (timeout or SERVFAIL)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"lookup (?P<host>[\w.-]+)[^:]{0,60}(?::53)?: (?:read|dial|write) (?:udp|tcp) \S{5,80}: (?:i/o timeout|(?:read|connect|write): \w[\w ]{5,40}|operation was canceled)|lookup (?P<asked>[\w.-]+) on \[[\da-f:]+\]:53: (?:read|dial)|lookup (?P<name>[\w.-]+) on \S{3,60}: server misbehaving|\bSERVFAIL\b|\bCoreDNSUnreachable\b|check_dns_to_coredns|dns-problem-monitor\b.{0,80}?(?:DNSProblem|[Tt]imeout)|\bDNSProblem\b .{0,60}?dns-problem-monitor|connection timed out; no servers could be reached|no servers could be reached|communications error to \S{3,60}#53: (?:timed out|connection refused|end of file)|\bDNS request timed out\b|(?i:Resolve-DnsName) ?: .{0,200}?timeout period expired|response to forwarded proxied DNS lookup|APKINDEX\S{0,40}: (?:temporary error|DNS: transient error|DNS lookup error)|(?i:nslookup (?:of |for |on )?\S{3,253} .{0,60}?\b(?:times out|timed out|timing out|time out))|could not be resolved \((?:110|2|5): |DnsNameResolverTimeoutException|Could not contact DNS servers|\bquery\w+ (?:ETIMEOUT|ESERVFAIL|ECONNREFUSED) (?P<query>[\w.-]+)|reply from unexpected source: \S{3,60}#53|can't find (?P<refused>[\w.-]+): (?:SERVFAIL|REFUSED)|status: (?:SERVFAIL|REFUSED)",
            says="the DNS server does not answer for {host}",
            sample="dial tcp: lookup orders.shop.svc.cluster.local on 10.0.0.10:53: read udp 10.244.0.7:4711->10.0.0.10:53: i/o timeout",
            near_miss="dial tcp: lookup orders.shop.svc.cluster.local on 10.0.0.10:53: no such host",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"https?://(?P<host>[\w.-]+)\S{0,400}: dial tcp: i/o timeout",
            says="the name of {host} was not resolved in time",
            sample="Post https://login.microsoftonline.com/t/oauth2/token?api-version=1.0: dial tcp: i/o timeout",
            near_miss="Post https://login.microsoftonline.com/t/oauth2/token: dial tcp 20.190.128.1:443: i/o timeout",
            unless=r"(?i)/v2/|pull image|oidc authenticator|Error: Get \"?https://[\w.<>-]+\.azmk8s\.io",
            weight=TYPICAL,
        ),
    ),
    why="The DNS server that was asked does not answer, or answers SERVFAIL: CoreDNS is down or overloaded, a network policy or NSG blocks port 53 (UDP and TCP), or the custom DNS servers of the virtual network are down or cannot forward.",
    remedy=(
        Step(
            "See CoreDNS and its log.",
            run=("kubectl", "logs", "-n", "kube-system", "-l", "k8s-app=kube-dns", "--tail=50"),
            risk=Risk.READ,
        ),
        Step(
            "See which DNS servers the virtual network uses.",
            run=(
                "az",
                "network",
                "vnet",
                "show",
                "--ids",
                "<vnet-id>",
                "--query",
                "dhcpOptions.dnsServers",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring the servers up, let them forward to 168.63.129.16, and allow port 53.",
            verify="nslookup {host} from a pod answers",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/dns/basic-troubleshooting-dns-resolution-problems",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/dns/troubleshoot-dns-failure-from-pod-but-not-from-worker-node",
    ),
    leads_to=(
        "network.name_resolution_fails",
        "kubernetes.image_pull_failed",
        "kubernetes.program_fails",
    ),
    ask="kubectl get pods -n kube-system -l k8s-app=kube-dns -o wide",
)
