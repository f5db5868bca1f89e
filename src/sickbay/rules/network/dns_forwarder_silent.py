from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The upstream DNS server that CoreDNS forwards to does not answer",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?:plugin/errors: |\[ERROR\] )\d+ (?P<host>[\w.*-]{1,253}?)\.? (?P<type>[A-Z]{1,10}): (?:unreachable backend: )?(?:read (?:udp|tcp) [^ ]{3,60}->|dial (?:udp|tcp) )(?P<server>[\dxX*.]+|\[[\da-f:]+\]):\d+: (?:i/o timeout|read: connection refused|connect: (?:connection refused|connection timed out|no route to host|network is unreachable)|read: no route to host)",
            says="CoreDNS asked {server} for {host} and got no answer",
            sample="[ERROR] plugin/errors: 2 orders.contoso.local. A: read udp 10.244.0.5:39271->10.10.0.4:53: i/o timeout",
            near_miss="[INFO] 10.244.0.5:41234 - 1234 orders.contoso.local. A IN udp 66 false 512 NOERROR qr,aa,rd 159 0.0002s",
            passes=True,
        ),
        Signature(
            pattern=r"plugin/forward: (?:.{0,80}?)(?:no healthy upstream|unreachable backend)|plugin/errors: \d+ (?P<host>[\w.-]{1,253}?)\.? [A-Z]{1,10}: (?:no healthy upstreams?|unreachable backend)(?:: (?P<server>[\d.]+))?",
            says="CoreDNS holds all of its upstream servers for dead",
            sample="[ERROR] plugin/errors: 2 orders.contoso.local. A: unreachable backend: no upstream host",
            near_miss="[INFO] plugin/forward: upstream is healthy again",
            passes=True,
        ),
    ),
    why="CoreDNS answers names of the cluster itself and forwards all others: to the servers of coredns-custom, or to those of the virtual network. The server that this line names did not answer: it is down, a firewall, security group or route blocks port 53 (UDP and TCP) from the nodes, or the address in the forwarder is wrong. Names inside the cluster still resolve.",
    remedy=(
        Step(
            "See where CoreDNS forwards to.",
            run=(
                "kubectl",
                "get",
                "configmap",
                "coredns-custom",
                "-n",
                "kube-system",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See which DNS servers the virtual network gives to its nodes.",
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
            "Ask that server from a pod.",
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
                "{server}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Bring the server up, allow port 53 to it from the nodes, or correct the forwarder; for names of Azure it must forward to 168.63.129.16. Then restart CoreDNS.",
            run=("kubectl", "rollout", "restart", "deployment/coredns", "-n", "kube-system"),
            risk=Risk.DISRUPTIVE,
            verify="nslookup {host} from a pod answers",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/dns/basic-troubleshooting-dns-resolution-problems",
        "https://learn.microsoft.com/azure/aks/coredns-custom",
    ),
    leads_to=("network.dns_server_silent", "network.name_resolution_fails"),
    ask="kubectl logs -n kube-system -l k8s-app=kube-dns --tail=50",
    spreads=True,
)
