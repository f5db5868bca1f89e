from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The name of the API server does not resolve: the cluster is stopped, deleted or misnamed",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)lookup (?P<host>[\w<>-]+\.hcp\.[\w<>-]+\.azmk8s\.io)\b.{0,80}?(?:no such host|server misbehaving)|(?:remote name could not be resolved: ['\"]?|Could not resolve host: |No such host is known\. \(|Name or service not known \(|ENOTFOUND |Failed to resolve ['\"]|UnknownHostException: )(?P<unresolved>[\w-]+\.hcp\.[\w-]+\.azmk8s\.io)",
            says="{host} is not resolved",
            sample="Unable to connect to the server: dial tcp: lookup shop-dns-1a2b3c4d.hcp.westeurope.azmk8s.io: no such host",
            near_miss="dial tcp: lookup shop-dns-1a2b3c4d.hcp.westeurope.azmk8s.io: connection established",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            # Whoever pastes a text often masks the host; only the API server is asked this way.
            pattern=r"Unable to connect to the server: .{0,160}?lookup (?:\S{0,40}\*{3,}\S{0,60}|<[\w -]{1,40}>\S{0,60}|\[\w[\w -]{1,40}\]\S{0,60}).{0,60}?no such host",
            says="the name of the API server is not resolved",
            sample="Unable to connect to the server: dial tcp: lookup ***** on 168.63.129.16:53: no such host",
            near_miss="Unable to connect to the server: dial tcp: lookup ***** on 168.63.129.16:53: i/o timeout",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The public name of an API server exists as long as the cluster runs. `no such host` means that the cluster was stopped or deleted, that the kubeconfig is of an older cluster, or that the client has no working DNS.",
    remedy=(
        Step(
            "See whether the cluster is there and runs.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "{power:powerState.code,fqdn:fqdn}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Fetch the kubeconfig again when the name differs.",
            run=(
                "az",
                "aks",
                "get-credentials",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--overwrite-existing",
            ),
            risk=Risk.SAFE,
            verify="kubectl cluster-info wants the name of the API server",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/troubleshoot-cluster-connection-issues-api-server",
    ),
    leads_to=(
        "aks.api_server_unreachable",
        "network.name_resolution_fails",
        "network.dns_name_unknown",
    ),
    ask="az aks show -g {resource_group} -n {cluster} --query [powerState.code,fqdn]",
)
