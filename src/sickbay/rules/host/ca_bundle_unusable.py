from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The file of CA certificates that the Azure CLI is told to use is missing or holds no certificate",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"\bNO_CERTIFICATE_OR_CRL_FOUND\b|(?i:no certificate or crl found)|(?i:Could not find a suitable TLS CA certificate bundle, invalid path: '?(?P<path>[^' ,]{1,300}))|(?i:SSLError\(.{0,60}?\[X509\] PEM lib)|(?i:invalid path to CA (?:certificate )?bundle)",
            says="the bundle of CA certificates cannot be loaded[: {path}]",
            sample="(Caused by SSLError(SSLError(136, '[X509: NO_CERTIFICATE_OR_CRL_FOUND] no certificate or crl found (_ssl.c:4270)')))",
            near_miss="the certificate bundle /etc/ssl/certs/ca-certificates.crt was loaded",
        ),
    ),
    why="REQUESTS_CA_BUNDLE (or SSL_CERT_FILE) names the file that the CLI and other Python programs trust. The file is not there, or not in PEM form (a DER or PKCS#7 export of the proxy's certificate, an empty file), so no connection can be checked at all.",
    remedy=(
        Step(
            "See whether the file holds a certificate.",
            run=("openssl", "x509", "-in", "<bundle.pem>", "-noout", "-subject"),
            risk=Risk.READ,
            verify="a subject is printed",
        ),
        Step(
            "Export the proxy's certificate as Base64 (PEM), append it to a copy of the CLI's own bundle, and name that copy in REQUESTS_CA_BUNDLE."
        ),
    ),
    leads_to=("host.tls_intercepted",),
    docs=("https://learn.microsoft.com/cli/azure/use-azure-cli-successfully-troubleshooting",),
    ask="az version --debug",
)
