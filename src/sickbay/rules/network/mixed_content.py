from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The browser blocks what an HTTPS page loads by plain HTTP (mixed content)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"Mixed Content: The page at .{3,400}? was loaded over (?:a secure connection|HTTPS), but (?:requested an insecure|contains|the request)|Blocked loading (?:mixed active|display) content [\"'“]?http:",
            says="an HTTPS page asks for something by http://",
            sample="Mixed Content: The page at 'https://shop.contoso.com/' was loaded over HTTPS, but requested an insecure script 'http://shop.contoso.com/app.js'. This request has been blocked; the content must be served over HTTPS.",
            near_miss="The page at 'https://shop.contoso.com/' was loaded over HTTPS, and requested a script 'https://shop.contoso.com/app.js'.",
        ),
    ),
    why="TLS ends at the ingress or gateway, and the program behind it sees plain HTTP: it writes http:// into links and redirects, because it does not read X-Forwarded-Proto or the proxy does not send it. Browsers refuse such content in an HTTPS page.",
    remedy=(
        Step(
            "See which links the program writes.",
            run=("curl", "-s", "https://<host>/"),
            risk=Risk.READ,
        ),
        Step(
            "Let the program trust the forwarded headers (ASPNETCORE_FORWARDEDHEADERS_ENABLED=true, server.forward-headers-strategy=framework, trust proxy), let each proxy pass X-Forwarded-Proto on (`use-forwarded-headers` at ingress-nginx behind another gateway), or write relative links.",
            verify="the page loads without a message in the console",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/aspnet/core/host-and-deploy/proxy-load-balancer",
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/configmap/",
    ),
    ask="curl -s https://<host>/",
)
