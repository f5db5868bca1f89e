from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="DNS inside the cluster fails, so the Arc agents cannot resolve Azure's names",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)found an issue with the DNS resolution on your cluster|dnsCheck=Failed|\bAZK8S030[1-5]\b|DNS resolution failed \(type=|DNS Result:.{0,200}?(?:NXDOMAIN|SERVFAIL|no servers could be reached|connection timed out|communications error)",
            says="names are not resolved inside the cluster",
            sample="Error: We found an issue with the DNS resolution on your cluster. For details about debugging DNS issues visit 'https://kubernetes.io/docs/tasks/administer-cluster/dns-debugging-resolution/'.",
            near_miss="Precheck summary: dnsCheck=Passed; outboundConnectivityCheck=Passed",
        ),
    ),
    why="The check job asks for names from a pod. When CoreDNS or its upstream does not answer (dnsCheck=Failed), the agents cannot find Azure and onboarding stops.",
    remedy=(
        Step(
            "See CoreDNS.",
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
            "Repair CoreDNS or the servers it forwards to.",
            verify="nslookup mcr.microsoft.com from a pod answers",
        ),
        Step(
            "Connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query connectivityStatus wants Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
        "https://kubernetes.io/docs/tasks/administer-cluster/dns-debugging-resolution/",
    ),
    leads_to=(
        "arc.cluster_outbound_blocked",
        "network.dns_server_silent",
        "network.dns_name_unknown",
        "arc.prechecks_failed",
    ),
    ask="kubectl logs -n kube-system -l k8s-app=kube-dns --tail=50",
)
