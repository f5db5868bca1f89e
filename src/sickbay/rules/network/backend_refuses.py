from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A proxy or ingress controller reaches a backend, and nothing listens there (connection refused, 502)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"connect\(\) failed \(111: Connection refused\) while connecting to upstream.{0,400}?upstream: \"(?P<backend>[^\"]{3,200})\"|connect\(\) failed \(111: Connection refused\) while connecting to upstream|delayed connect error: 111|upstream connect error or disconnect/reset before headers\..{0,60}?reset reason: (?:remote |local )?connection failure|\b503 UF(?:,URX)? upstream_reset|no live upstreams while connecting to upstream|connect\(\) to unix:(?P<socket>\S{3,200}) failed \((?:2: No such file or directory|111: Connection refused)\)|Layer4 connection problem|502 Bad Gateway.{0,160}?<center>nginx|'?502 Bad Gateway'? caused by: dial tcp (?P<address>[\d.]+:\d+): connect: connection refused",
            says="a proxy was refused by its backend",
            sample='2026/03/04 10:02:03 [error] 34#34: *1289 connect() failed (111: Connection refused) while connecting to upstream, client: 10.240.0.5, server: shop.contoso.com, request: "GET / HTTP/2.0", upstream: "http://10.244.1.7:8080/", host: "shop.contoso.com"',
            near_miss='2026/03/04 10:02:03 [error] 34#34: *1289 upstream timed out (110: Operation timed out) while connecting to upstream, upstream: "http://10.244.1.7:8080/"',
            unless=r"TLS error|WRONG_VERSION_NUMBER|(?i:certificate)",
            weight=TYPICAL,
            passes=True,
            common=True,
        ),
    ),
    why="The proxy got through to the address of a pod and was refused at once: no program listens on the port to which the service forwards. The target port is wrong, the program listens on 127.0.0.1 only, or it is ending or starting while it still counts as ready.",
    remedy=(
        Step(
            "Compare the target port of the service with the port on which the program listens.",
            run=("kubectl", "describe", "services", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Correct targetPort, or let the program listen on 0.0.0.0 and on that port.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "If it only happens while pods come and go: give them a readiness probe on that port and a preStop pause of a few seconds.",
            verify="the proxy answers without 502 and 503",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
        "https://kubernetes.github.io/ingress-nginx/troubleshooting/",
    ),
    ask="kubectl describe services -n {namespace}",
)
