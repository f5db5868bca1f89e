from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A backend closes the connection of its proxy before it answers",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"upstream prematurely closed (?:FastCGI )?connection while|recv\(\) failed \(104: Connection reset by peer\) while reading (?:response header from )?upstream|reset reason: (?:remote )?(?:connection termination|remote reset)|upstream_reset_before_response_started\{(?:connection_termination|remote_reset)|\b503 UC upstream_reset",
            says="a backend ended the connection of its proxy without an answer",
            sample='2026/03/04 10:02:03 [error] 34#34: *1289 upstream prematurely closed connection while reading response header from upstream, client: 10.240.0.5, server: shop.contoso.com, request: "GET / HTTP/1.1", upstream: "http://10.244.1.7:8443/", host: "shop.contoso.com"',
            near_miss="2026/03/04 10:02:03 [info] 34#34: *1289 client closed connection while waiting for request, client: 10.240.0.5",
            unless=r"config stream|StreamAggregatedResources",
            weight=TYPICAL,
            passes=True,
            common=True,
        ),
    ),
    why="The program behind the proxy took the connection and closed it without an answer: it crashed or was restarted during the request, keeps idle connections for a shorter time than the proxy reuses them, refuses the protocol (HTTPS wanted, HTTP sent), or was asked for more than it takes.",
    remedy=(
        Step(
            "See whether its pods restart at those times.",
            run=("kubectl", "get", "pods", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "If the backend speaks HTTPS or gRPC, say so: nginx.ingress.kubernetes.io/backend-protocol, or appProtocol at the port of the service."
        ),
        Step(
            "Make the keep-alive time of the program longer than that of the proxy.",
            verify="the proxy answers without 502 and 503",
        ),
    ),
    docs=(
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/",
    ),
    ask="kubectl get pods -n {namespace}",
)
