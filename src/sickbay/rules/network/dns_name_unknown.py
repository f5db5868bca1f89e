from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A DNS name does not exist as it is asked (NXDOMAIN)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"can't find (?P<name>[\w.-]+): NXDOMAIN|\bNXDOMAIN\b|\bNameError\b|can't (?:resolve|find) '?(?P<asked>[\w.-]+\.[\w.-]+)|host not found in upstream \"(?P<upstream>[\w.-]+)|(?:getaddrinfo|query\w+) ENOTFOUND (?P<wanted>[\w.-]+)|could not be resolved \(3: Host not found|No such host is known|\bnon-existing domain\b|DNS name does not exist|ORA-12545|\bnxdomain\b|no record found for (?:name: |Query)|Unknown MySQL server host '(?P<mysql>[\w.-]+)'|bad address '(?P<bad>[\w.-]+)|(?:UnknownHostException:|Could not resolve host:) (?P<inner>[\w-]+\.[\w.-]*\bsvc(?:\.cluster\.local)?)\b|lookup (?P<host>[\w.-]+) on [\d.:\[\]a-f]{3,60}: no such host",
            says="the DNS server says that the name[ {host}] does not exist",
            sample="dial tcp: lookup orders.shop.svc.cluster.local on 10.0.0.10:53: no such host",
            near_miss="dial tcp: lookup orders.shop.svc.cluster.local on 10.0.0.10:53: read udp 10.244.0.7:4711->10.0.0.10:53: i/o timeout",
            weight=TYPICAL,
            # CoreDNS logs each try with a search domain: that one is unknown says nothing.
            unless=r"\[INFO\] \S+ - \d+ \"|\bSERVFAIL\b|: REFUSED\b|no servers could be reached|DNS request timed out",
            passes=True,
        ),
    ),
    why="The DNS server answered, with NXDOMAIN (NameError): the name does not exist as it was asked, because it is misspelled, lacks its namespace, the service is not there, the private DNS zone is not linked to the network, or custom DNS servers do not forward to 168.63.129.16.",
    remedy=(
        Step(
            "Resolve it from a pod.",
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
        Step("Correct the name; inside the cluster it is service.namespace.svc.cluster.local."),
        Step(
            "For a private endpoint, link its private DNS zone to the network of the nodes (or of the DNS server).",
            run=(
                "az",
                "network",
                "private-dns",
                "link",
                "vnet",
                "create",
                "--resource-group",
                "<zone-group>",
                "--zone-name",
                "<zone>",
                "--name",
                "aks",
                "--virtual-network",
                "<vnet-id>",
                "--registration-enabled",
                "false",
            ),
            verify="nslookup {host} gives the expected address",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/dns/basic-troubleshooting-dns-resolution-problems",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/dns/troubleshoot-dns-failures-across-an-aks-cluster-in-real-time",
    ),
    leads_to=(
        "network.name_resolution_fails",
        "kubernetes.program_fails",
        "kubernetes.init_container_waits",
        "kubernetes.rollout_stuck",
        "kubernetes.image_pull_failed",
    ),
    ask="nslookup {host}",
)
