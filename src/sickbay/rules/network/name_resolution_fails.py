from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A name does not resolve (DNS)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"lookup (?P<host>[\w.-]+)(?: on [^ ]{2,60})?: (?:no such host|server misbehaving|Temporary failure in name resolution|i/o timeout)",
            says="{host} does not resolve",
            sample="dial tcp: lookup orders.shop.svc.cluster.local: Temporary failure in name resolution",
            near_miss="dial tcp 10.0.0.7:443: connect: connection refused",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"(?i)Could not resolve host|Temporary failure in name\b|Name or service not known|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|\bcode\W{1,8}(?:ENOTFOUND|EAI_AGAIN)\b|UnknownHostException|Name does not resolve|No address associated with (?:host)?name|getaddrinfo\w*(?: for \S{1,100})? failed|could not translate host name|failed to lookup address information|DNS resolution failed|name resolver error|no resolver defined to resolve|could not be resolved \(|Could not resolve proxy|Unable to resolve host|\[Errno -[235]\]|Resource temporarily unavailable \([\w.-]+:\d+\)|lookup \S{1,253}: Try again|dns error: |Cannot resolve host ?name|DB::Exception: Not found address of host|\[?\b(?:210|198)\]? Host not found: |\(DNS_ERROR\)|Failed to resolve hostname",
            says="a name did not resolve",
            sample="curl: (6) Could not resolve host: orders.shop",
            near_miss="* Host orders.shop was resolved.",
            weight=SYMPTOM,
        ),
    ),
    why="The name does not exist, the DNS servers of the cluster or of the network do not answer, or they do not forward to Azure's resolver 168.63.129.16; the answer (NXDOMAIN, SERVFAIL, timeout) tells which.",
    remedy=(
        Step(
            "See whether CoreDNS runs.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
                "-l",
                "k8s-app=kube-dns",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Resolve the name from a pod and from a node, and compare.",
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
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/dns/basic-troubleshooting-dns-resolution-problems",
    ),
    leads_to=("kubernetes.program_fails",),
)
