from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A backend takes longer to answer than its proxy or ingress waits (504, timed out reading)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"upstream timed out \(110: (?:Connection|Operation) timed out\) while reading (?:response header from )?upstream|upstream request timeout|\b504 UT (?:upstream_)?response_timeout|\bupstream_response_timeout\b|504 Gateway Time-?out.{0,200}?Microsoft-Azure-Application-Gateway",
            says="a backend did not answer within the time that its proxy waits",
            sample='2026/03/04 10:02:03 [error] 34#34: *1289 upstream timed out (110: Operation timed out) while reading response header from upstream, client: 10.240.0.5, server: shop.contoso.com, request: "POST /report HTTP/1.1", upstream: "http://10.244.1.7:8080/report", host: "shop.contoso.com"',
            near_miss="2026/03/04 10:02:03 [error] 34#34: *1289 upstream timed out (110: Operation timed out) while connecting to upstream, client: 10.240.0.5, server: shop.contoso.com",
            weight=TYPICAL,
            passes=True,
            common=True,
        ),
        Signature(
            pattern=r"HTTP/[\d.]+\" 499 \d|client prematurely closed connection, so upstream connection is closed too|epoll_wait\(\) reported that client prematurely closed connection",
            says="the client gave up before the backend had answered",
            sample='10.1.1.1 - - [01/May/2024:10:00:00 +0000] "GET / HTTP/1.1" 499 0 "-" "curl/7.8" 120 60.000 [shop-web-80] [] 10.244.1.5:8080 0 60.000 - abc',
            near_miss='10.1.1.1 - - [01/May/2024:10:00:00 +0000] "GET / HTTP/1.1" 200 499 "-" "curl/7.8" 120 0.010 [shop-web-80] [] 10.244.1.5:8080 499 0.010 200 abc',
            weight=TYPICAL,
            common=True,
            passes=True,
        ),
    ),
    why="The connection to the pod was made and the request was sent, but its answer did not begin in time (60 seconds with NGINX, 15 with Envoy): the program is slow or hangs, is throttled by its CPU limit, waits for something else, or the request really takes that long.",
    remedy=(
        Step(
            "See whether the pods are short of CPU or wait for a database.",
            run=("kubectl", "top", "pods", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step("Mend the slow part, or make the long work asynchronous."),
        Step(
            "Where it may take so long, raise the limit: nginx.ingress.kubernetes.io/proxy-read-timeout, or the timeout of the route; the idle timeout of the load balancer must be longer.",
            verify="the same request is answered without 504",
        ),
    ),
    docs=(
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/",
    ),
    ask="kubectl top pods -n {namespace}",
)
