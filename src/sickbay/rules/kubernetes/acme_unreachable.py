from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="cert-manager cannot reach the ACME server (Let's Encrypt), so no account and no certificate is made",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?:ACME|acme)\b.{0,300}?https://[\w.-]*(?:acme|letsencrypt|zerossl|pki\.goog|buypass)[\w.-]*/\S{0,200}:? (?:dial tcp|lookup|net/http|EOF|context deadline|read tcp|proxyconnect|remote error|tls:|x509)|https://[\w.-]*(?:letsencrypt|zerossl)[\w.-]*/(?:directory|acme)\S{0,200}:? (?:dial tcp|lookup|net/http|EOF|context deadline|read tcp|proxyconnect|tls:|x509)",
            says="the ACME server is not reached",
            sample='Failed to register ACME account: Get "https://acme-v02.api.letsencrypt.org/directory": dial tcp 172.65.32.248:443: i/o timeout',
            near_miss="Registered ACME account with https://acme-v02.api.letsencrypt.org/directory",
        ),
    ),
    why="cert-manager asks acme-v02.api.letsencrypt.org over HTTPS. Its pod cannot resolve or reach it: egress is closed by a firewall, proxy or network policy, or DNS fails in the cluster.",
    remedy=(
        Step(
            "Try it from a pod of the namespace.",
            run=(
                "kubectl",
                "run",
                "acme-test",
                "--rm",
                "-it",
                "--restart=Never",
                "--image=curlimages/curl",
                "--",
                "-sv",
                "https://acme-v02.api.letsencrypt.org/directory",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Allow the host in firewall, proxy (set HTTPS_PROXY on cert-manager) and network policies; mend DNS if the name does not resolve."
        ),
    ),
    leads_to=(
        "kubernetes.issuer_not_ready",
        "kubernetes.certificate_not_issued",
    ),
    docs=("https://cert-manager.io/docs/troubleshooting/acme/",),
    ask="kubectl describe clusterissuers",
)
