from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cluster cannot reach an endpoint that Arc needs: outbound traffic is blocked",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Outbound (?:Network )?Connectivity (?:Check )?(?:Result )?.{0,40}?: ?(?P<url>https?://\S+) : 000|outboundConnectivityCheck=Failed|\bAZK8S030[68]\b|entraCheck=Failed|Outbound connectivity failed for: (?P<endpoint>\S+) \(code=000|Entra authentication endpoint connectivity check failed|outbound network connectivity check has failed for the cluster|found an issue with outbound network connectivity from the cluster|Outbound network connectivity (?:check )?failed (?:for onboarding|in cluster)|OnboardingOutboundConnectivityFailed|OutboundEndpointNonSuccessResponse",
            says="an endpoint does not answer from the cluster",
            sample="Outbound Network Connectivity Check Result : https://mcr.microsoft.com : 000",
            near_miss="Outbound Network Connectivity Check Result : https://mcr.microsoft.com : 200",
        ),
        Signature(
            pattern=r"(?i)https?://(?P<host>[\w.-]*(?:his\.arc\.azure|guestnotificationservice\.azure)\.[\w.]+)\S{0,300} ?.{0,60}?(?:dial tcp \S{3,80} (?:i/o timeout|connect: )|proxyconnect tcp|read: connection reset|net/http: (?:request canceled|TLS handshake timeout))|(?:ConfigAgent|config-agent|extension-manager|extension-agent|metrics-agent|clusteridentityoperator).{0,500}?dp\.kubernetesconfiguration\.azure\.\S{0,300} ?.{0,60}?(?:dial tcp \S{3,80} (?:i/o timeout|connect: )|proxyconnect tcp|read: connection reset|net/http: (?:request canceled|TLS handshake timeout))",
            says="an agent does not reach its endpoint in Azure",
            sample='Get "https://weu.his.arc.azure.com/subscriptions/s": dial tcp 20.50.1.1:443: i/o timeout',
            near_miss='Get "https://weu.his.arc.azure.com/subscriptions/s": 200 OK',
            unless=r"(?i)Not able to connect to|GuestInternetConnectivityError|overage claim|no such host",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The check job calls the required endpoints from a pod; the code 000 means no answer at all: a firewall, a route or missing proxy parameters. Entra (login.microsoftonline.com), mcr.microsoft.com and *.his.arc.azure.com must all answer.",
    remedy=(
        Step(
            "Let the CLI examine the cluster.",
            run=(
                "az",
                "connectedk8s",
                "troubleshoot",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the endpoint on 443, or give the proxy.",
        ),
        Step(
            "Connect with proxy parameters.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--proxy-https",
                "<proxy>",
                "--proxy-http",
                "<proxy>",
                "--proxy-skip-range",
                "<ranges>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/network-requirements",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
    leads_to=(
        "arc.onboarding_timeout",
        "arc.agent_offline",
        "arc.connection_failed",
        "arc.identity_certificate_missing",
        "arc.prechecks_failed",
        "network.connection_times_out",
        "network.connection_cut",
        "network.connection_refused",
        "arc.data_plane_unreachable",
    ),
    ask="az connectedk8s troubleshoot -g {resource_group} -n {cluster}",
)
