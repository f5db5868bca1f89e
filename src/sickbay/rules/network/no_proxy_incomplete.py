from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Calls inside the cluster go through the HTTP proxy: NO_PROXY lacks their names or ranges",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bno_?proxy\b.{0,60}?\b(?:lacks?|misses|missing|without|does(?: not|n't) (?:contain|include|have))\b|\b(?:squid|proxy)\b.{0,200}?\.svc(?:\.cluster\.local)?\b.{0,160}?(?:\b50[234]\b|\b403\b|denied|refused)|(?:\b50[234]\b|\b403\b).{0,60}?\bfrom (?:squid|the proxy)\b.{0,160}?\.svc\b|TCP_\w+/\d{3} \d+ \w+ \S{0,200}(?:\.svc\b|\.cluster\.local)|(?:CONNECT|GET|POST) \S{0,100}(?:\.svc:|\.svc\.cluster\.local).{0,120}?(?:ERR_DNS_FAIL|X-Squid-Error)|(?:from proxy after CONNECT|CONNECT tunnel failed, response \d{3}|Tunnel connection failed: \d{3}).{0,200}?\.svc(?:\.cluster\.local)?\b|\.svc(?:\.cluster\.local)?\b.{0,300}?(?:from proxy after CONNECT|CONNECT tunnel failed, response \d{3}|Tunnel connection failed: \d{3})|(?:requested URL could not be retrieved|retrieve the URL)\W.{0,60}?https?://[\w.-]+\.svc(?:\.cluster\.local)?\b|(?:\"|\bGet )https?://(?:[\w-]+\.[\w-]+\.svc[\w.]*|(?:10\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d+\.1(?::443)?)[:/]\S{0,200}\"?: (?:Forbidden|Bad Gateway|Service Unavailable|Gateway Timeout|Method Not Allowed)(?: ?$|\"|\)|, )",
            says="a call inside the cluster is sent to the proxy",
            sample='pods get "503 Service Unavailable" from squid when calling http://orders.shop.svc:8080; HTTP_PROXY is set and NO_PROXY lacks .svc',
            near_miss="NO_PROXY contains .svc,.cluster.local,10.0.0.0/16",
            weight=TYPICAL,
        ),
    ),
    why="Programs with HTTP_PROXY send every name to the proxy that NO_PROXY does not except. The proxy does not know services of the cluster, so they answer 503, 403 or not at all. AKS puts the settings of httpProxyConfig into every pod; many clients know no CIDR ranges in NO_PROXY.",
    remedy=(
        Step(
            "See the settings in a pod.",
            run=("kubectl", "exec", "-n", "<namespace>", "<pod>", "--", "env"),
            risk=Risk.READ,
        ),
        Step(
            "Add .svc, .svc.cluster.local, the service and pod ranges and the API server to noProxy.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--http-proxy-config",
                "aks-proxy-config.json",
            ),
            risk=Risk.DISRUPTIVE,
            verify="a call to a service by name is answered",
        ),
        Step(
            'Or exempt a pod with the annotation kubernetes.azure.com/no-http-proxy-vars: "true".',
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/http-proxy",),
    leads_to=("network.connection_times_out", "host.proxy_refuses"),
    ask="kubectl exec -n <namespace> <pod> -- env",
)
