from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A certificate has expired or is not yet valid (x509)",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?:CERT_HAS_EXPIRED|\b(?:ERR_CERT_DATE_INVALID|SEC_ERROR_EXPIRED_CERTIFICATE|SEC_ERROR_EXPIRED_ISSUER_CERTIFICATE)\b|SSL certificate problem: certificate has expired|invalid peer certificate: Expired|\bNotTimeValid\b|certificate verify failed: certificate has expired|\(10:certificate has expired\)|tls: expired certificate|issuer certificate is not valid anymore|CertificateExpiredException|CertPathValidatorException: validity check failed|CertificateNotYetValidException)|x509: certificate has expired(?: or is not yet valid)?(?:: current time (?P<now>[^ ]+) is (?P<side>after|before) (?P<bound>[\w:-]+))?",
            says="a certificate is outside its validity",
            sample="Unable to connect to the server: x509: certificate has expired or is not yet valid: current time 2026-01-12T10:11:12Z is after 2026-01-01T00:00:00Z",
            near_miss="x509: certificate signed by unknown authority",
            weight=TYPICAL,
        ),
    ),
    why="A certificate is past its end (or, with a wrong clock, before its start): the cluster certificates of AKS, the certificate of a webhook or ingress, or one of the client; kubelets with an expired certificate make their nodes NotReady.",
    remedy=(
        Step(
            "See the validity of the certificate that answers.",
            run=("openssl", "s_client", "-connect", "<host>:443", "-showcerts"),
            risk=Risk.READ,
        ),
        Step(
            "If they are those of the cluster, rotate them.",
            run=(
                "az",
                "aks",
                "rotate-certs",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants Ready",
        ),
        Step("If the time is before the start, correct the clock."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/certificate-rotation",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-expired-certificates",
    ),
    leads_to=(
        "kubernetes.node_not_ready",
        "kubernetes.kubelet_silent",
        "kubernetes.program_fails",
        "kubernetes.webhook_untrusted",
    ),
    ask="openssl s_client -connect <host>:443 -showcerts",
)
