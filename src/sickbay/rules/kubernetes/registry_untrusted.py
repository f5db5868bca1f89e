from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The nodes do not trust the certificate of the registry (x509)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?:failed to (?:do request|resolve reference|pull)|[Pp]ull(?:ing)? image).{0,500}?x509: (?:certificate (?:signed by unknown authority|is (?:valid|not valid) for|has expired)|cannot validate certificate)",
            says="the certificate of the registry is not trusted",
            sample='Failed to pull image "registry.contoso.com/cart:v9": failed to resolve reference "registry.contoso.com/cart:v9": failed to do request: Head "https://registry.contoso.com/v2/cart/manifests/v9": x509: certificate signed by unknown authority',
            near_miss='Post "https://validate.shop.svc:443/": x509: certificate signed by unknown authority',
            # The CLI pulls charts on the machine that it runs on.
            unless=r"Unable to (?:pull|export) .{0,60}?helm charts? ",
        ),
        Signature(
            pattern=r"(?:failed to (?:do request|resolve reference|pull)|[Pp]ull(?:ing)? image).{0,500}?http: server gave HTTP response to HTTPS client",
            says="the registry speaks plain HTTP, which the nodes do not trust",
            sample='Failed to pull image "10.0.0.9:5000/app:v1": failed to do request: Head "https://10.0.0.9:5000/v2/app/manifests/v1": http: server gave HTTP response to HTTPS client',
            near_miss='Successfully pulled image "10.0.0.9:5000/app:v1"',
        ),
    ),
    why="The certificate that answers at the registry's name is signed by an authority that the nodes do not know: a private registry, or a firewall that inspects TLS and puts its own certificate in between. A registry that speaks plain HTTP has no certificate at all, and is refused as well.",
    remedy=(
        Step("Take the registry out of TLS inspection, if a firewall signs the certificate."),
        Step(
            "Or give the nodes the authority's certificate (custom CA trust).",
            run=(
                "az",
                "aks",
                "update",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--custom-ca-trust-certificates",
                "<file>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n {namespace} shows no ImagePullBackOff",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/custom-certificate-authority",),
    leads_to=("kubernetes.image_pull_failed", "arc.chart_pull_blocked"),
    ask="kubectl describe pod {pod} -n {namespace}",
)
