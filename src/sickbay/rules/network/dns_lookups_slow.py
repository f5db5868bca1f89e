from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="DNS lookups in pods are slow: search domains (ndots:5) or lost UDP answers cost seconds",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)(?:slow|delay\w*|latenc\w+|seconds? longer|takes? (?:about |exactly )?\d+ ?s\w*).{0,250}?\bndots\b|\bndots\b.{0,250}?(?:slow|delay\w*|latenc\w+|seconds? longer)|\b5[ -]?s(?:ec(?:ond)?s?)? .{0,40}?(?:dns|resolution|lookups?)\b.{0,40}?(?:delay|latenc)|(?:dns(?: lookups?)?|name resolution)\b.{0,60}?(?:takes?|delay\w*|latenc\w+) .{0,20}?\b5 ?s(?:ec\w*)?\b|conntrack race|\binsert_failed(?:=[1-9]\d{2,}| counter)",
            says="lookups take seconds",
            sample="every external call takes exactly 5 seconds longer in the pods, resolv.conf has options ndots:5",
            near_miss="search default.svc.cluster.local svc.cluster.local cluster.local options ndots:5",
            weight=TYPICAL,
        ),
    ),
    why="With ndots:5 a name with fewer than five dots is first tried with every search domain, so each lookup of an outside name costs several queries, for A and AAAA. Where two of them race in conntrack one UDP answer is lost, and the resolver waits five seconds before it asks again.",
    remedy=(
        Step(
            "Ask with and without search domains, and compare.",
            run=(
                "kubectl",
                "run",
                "dns",
                "--image=mcr.microsoft.com/azure-cli",
                "--restart=Never",
                "-it",
                "--rm",
                "--",
                "sh",
                "-c",
                "time nslookup contoso.com; time nslookup contoso.com.",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Set dnsConfig options ndots:2 (and single-request-reopen) in the pod template, or write outside names with a final dot.",
        ),
        Step(
            "Use LocalDNS, which keeps lookups on the node and out of conntrack.",
            run=(
                "az",
                "aks",
                "nodepool",
                "update",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
                "--localdns-config",
                "localdnsconfig.json",
            ),
            risk=Risk.DISRUPTIVE,
            verify="a lookup takes milliseconds",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/localdns-custom",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/dns/basic-troubleshooting-dns-resolution-problems",
    ),
    leads_to=("network.name_resolution_fails", "network.dns_queries_overload"),
    ask="kubectl exec <pod> -- cat /etc/resolv.conf",
)
