from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The client does not trust the certificate of the API server (x509, unknown authority or other name)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"(?:Unable to connect to the server|[Kk]ubernetes cluster unreachable: Get \S{1,300}): (?:tls: failed to verify certificate: )?x509: certificate (?:signed by unknown authority|is valid for .{1,900}?, not (?P<host>[\w.-]+)|relies on legacy Common Name)|port=\d{2,5}\): Max retries exceeded with url: /apis?/.{0,200}?CERTIFICATE_VERIFY_FAILED",
            says="the client does not trust the certificate that the API server shows",
            sample='Unable to connect to the server: tls: failed to verify certificate: x509: certificate signed by unknown authority (possibly because of "crypto/rsa: verification error" while trying to verify candidate authority certificate "ca")',
            near_miss="Unable to connect to the server: x509: certificate has expired or is not yet valid",
            weight=TYPICAL,
        ),
    ),
    why="The kubeconfig carries the authority that signed the API server's certificate. It does not fit the certificate that arrives: the kubeconfig is of an older cluster of the same name or from before a rotation of certificates, a proxy or firewall opens TLS and shows its own certificate, or the client asks for another name than the certificate is valid for.",
    remedy=(
        Step(
            "See who signed the certificate that arrives: a company's authority means TLS inspection.",
            run=("openssl", "s_client", "-connect", "<api-server-fqdn>:443", "-showcerts"),
            risk=Risk.READ,
        ),
        Step(
            "Fetch the kubeconfig anew.",
            run=(
                "az",
                "aks",
                "get-credentials",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--overwrite-existing",
            ),
            verify="kubectl get --raw /version answers",
        ),
        Step("If a proxy opens TLS, exempt the name of the API server from inspection."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/certificate-rotation",
        "https://learn.microsoft.com/azure/aks/control-kubeconfig-access",
    ),
    ask="openssl s_client -connect <api-server-fqdn>:443 -showcerts",
)
