from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The nodes cannot reach the registry or its data endpoint (timeout, reset)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?:failed to (?:do request|resolve reference|resolve image to digest|copy|pull)|[Pp]ull(?:ing)? image|PullImage|Error response from daemon).{0,500}?https?://(?P<host>[\w.<>-]+)(?::\d+)?/[^ ]{0,300}?: (?:dial tcp [^ ]{3,80}: (?:i/o timeout|connect: (?:connection (?:refused|timed out)|no route to host|network is unreachable))|net/http: (?:TLS handshake timeout|request canceled)|context deadline exceeded|EOF|read tcp [^:]{3,60}:\d+->[^ ]{3,60} read: connection (?:reset by peer|timed out))",
            says="the node got no connection to {host}",
            sample='Failed to pull image "contoso.azurecr.io/cart:v9": rpc error: code = Unknown desc = failed to pull and unpack image "contoso.azurecr.io/cart:v9": failed to resolve reference "contoso.azurecr.io/cart:v9": failed to do request: Head "https://contoso.azurecr.io/v2/cart/manifests/v9": dial tcp 10.1.2.3:443: connect: connection timed out',
            near_miss='failed to do request: Head "https://contoso.azurecr.io/v2/cart/manifests/v9": 429 Too Many Requests',
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"\bCONNECTIVITY_(?:DNS|SSL|CHALLENGE)_ERROR\b|rejected token exchange: failed to send token exchange request|Could not connect to the registry login server '(?P<host>[\w.-]+)'",
            says="the registry cannot be reached from this machine",
            sample="Could not connect to the registry login server 'contoso.azurecr.io'. Please verify that the registry exists and the URL 'https://contoso.azurecr.io/v2/' is reachable from your environment.",
            near_miss="Login Succeeded to the registry login server 'contoso.azurecr.io'",
        ),
        Signature(
            pattern=r"(?:data\.(?:mcr\.microsoft\.com|azurecr\.io)|(?:azurecr\.io|mcr\.microsoft\.com)/v2)/?[^ ]{0,300}?: (?:connection reset by peer|net/http: (?:request canceled|TLS handshake timeout)|context deadline exceeded|read: connection reset by peer|.{0,80}?i/o timeout|EOF)",
            says="the data endpoint of the registry, which serves the layers, could not be read",
            sample='Get "https://westeurope.data.mcr.microsoft.com/sha256-1": connection reset by peer',
            near_miss='Get "https://westeurope.data.mcr.microsoft.com/sha256-1": 200 OK',
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"(?:failed to (?:do request|resolve reference|pull)|[Pp]ull(?:ing)? image).{0,500}?dial tcp: lookup (?P<host>[\w.-]+)[^:]{0,60}: (?:no such host|i/o timeout|server misbehaving)",
            says="the node cannot resolve {host}",
            sample='failed to resolve reference "contoso.azurecr.io/cart:v9": failed to do request: Head "https://contoso.azurecr.io/v2/cart/manifests/v9": dial tcp: lookup contoso.azurecr.io: no such host',
            near_miss="dial tcp: lookup orders.shop.svc.cluster.local: no such host",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="A firewall, route, missing peering, proxy or DNS answer stands between the nodes and the registry (login endpoint, or the separate data endpoint that serves layers); a private endpoint address that times out is not routed or not allowed.",
    remedy=(
        Step(
            "Test from the nodes.",
            run=(
                "az",
                "aks",
                "check-acr",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--acr",
                "{host}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow HTTPS from the node subnet to the registry, its data endpoints and mcr.microsoft.com in firewall, NSG and route table.",
            verify="kubectl get pods -n {namespace} shows no ImagePullBackOff",
        ),
        Step(
            "With a private endpoint, peer its network with the nodes' and link the zone privatelink.azurecr.io."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/cannot-pull-image-from-acr-to-aks-cluster",
        "https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",
    ),
    leads_to=("kubernetes.image_pull_failed", "network.name_resolution_fails"),
    ask="az aks check-acr --resource-group {resource_group} --name {cluster} --acr <registry>.azurecr.io",
)
