from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A route names a middleware, service, option or certificate resolver of Traefik that is not there",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?:middleware|TLS options?|serversTransport|certificate resolver|router uses a (?:non-?existent|nonexistent) (?:certificate )?resolver)\W{1,4}(?P<name>[\w./@-]*)\W{0,4}.{0,60}?(?:does not exist|not found|nonexistent)|the router \S{1,120} uses a non-?existent|(?:service|middleware|TLSOption|[sS]erversTransport) (?P<foreign>[\w.-]{1,63}/[\w.-]{1,253}) (?:is )?not in the (?:parent resource|IngressRoute|[\w ]{3,30}) namespace",
            says="Traefik does not find a part of a route",
            sample='level=error msg="middleware \\"shop-auth@kubernetescrd\\" does not exist" entryPointName=web routerName=web',
            near_miss='level=info msg="middleware \\"shop-auth@kubernetescrd\\" was created"',
        ),
    ),
    why="A router of Traefik with one missing part is not served at all. The name must carry its namespace and provider (shop-auth@kubernetescrd), and the object must lie in a namespace that Traefik watches.",
    remedy=(
        Step(
            "List the middlewares.",
            run=(
                "kubectl",
                "get",
                "middlewares.traefik.io",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step("Correct the name, or create the object.", verify="the router is served"),
    ),
    docs=("https://doc.traefik.io/traefik/middlewares/overview/",),
    ask="kubectl get middlewares.traefik.io -A",
)
