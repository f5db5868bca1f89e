from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Arc gateway on Azure Local refuses the new cluster: port 40343 is closed",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)proxyconnect tcp: dial tcp \[?(?P<host>[\w.:-]+?)\]?:40343: (?P<error>[\w /]{2,80})",
            says="the gateway at {host}:40343 does not answer: {error}",
            sample='InternetConnectivityError: Not able to connect to https://mcr.microsoft.com. Error returned: action failed after 5 attempts: Get "https://mcr.microsoft.com": proxyconnect tcp: dial tcp 10.20.0.9:40343: connect: connection refused',
            near_miss='Get "https://mcr.microsoft.com": proxyconnect tcp: dial tcp 10.20.0.9:3128: connect: connection refused',
        ),
    ),
    why="With an Arc gateway the VM of the control plane sends all outbound traffic to the cluster IP of Azure Local on port 40343. The connection is refused or filtered, so no required URL is reached (InternetConnectivityError), although the internet itself may be fine.",
    remedy=(
        Step(
            "Try the port from the logical network of the cluster.",
            run=("Test-NetConnection", "{host}", "-Port", "40343"),
            risk=Risk.READ,
            verify="TcpTestSucceeded wants True",
        ),
        Step(
            "Open 40343 from the subnet of AKS to {host}, and see that the gateway service listens there.",
            risk=Risk.DISRUPTIVE,
        ),
        Step("Create the cluster again."),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/network-validation-errors",),
    leads_to=(
        "arc.appliance_offline",
        "arc.kva_timeout",
        "arc.url_unreachable",
        "arc.appliance_no_internet",
        "arc.proxy_misconfigured",
    ),
    ask="Test-NetConnection <cluster-ip> -Port 40343",
)
