from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A pod or node has more name servers or search domains than its resolver takes, so some are left out",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"Nameserver limits were exceeded|Nameserver limits exceeded|Search Line limits were exceeded|Resolv\.conf file .{1,120}? contains search line consisting of more than",
            says="lines of resolv.conf are left out",
            sample="Warning  DNSConfigForming  2m  kubelet  Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: 10.0.0.10 10.0.0.11 10.0.0.12",
            near_miss="nameserver 10.0.0.10",
            weight=TYPICAL,
            passes=True,
            common=True,
        ),
    ),
    why="glibc reads three name servers and the kubelet at most 32 search domains of 2048 characters. What comes after that is dropped from resolv.conf, so that names of the dropped domain do not resolve.",
    remedy=(
        Step(
            "See what the node or the pod asks for.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Keep at most three DNS servers on the virtual network, and shorten dnsConfig.searches."
        ),
    ),
    leads_to=("network.dns_name_unknown",),
    docs=("https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/",),
    ask="kubectl get pods -A -o yaml",
)
