from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="This machine cannot check whether a certificate is revoked: CRL or OCSP is blocked, or TLS is inspected",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\bCRYPT_E_(?:NO_REVOCATION_CHECK|REVOCATION_OFFLINE)\b|(?i:unable to check revocation (?:for the certificate|because the revocation server was offline))",
            says="the revocation check was not possible",
            sample="curl: (35) schannel: next InitializeSecurityContext failed: CRYPT_E_NO_REVOCATION_CHECK (0x80092012) - The revocation function was unable to check revocation for the certificate.",
            near_miss="curl: schannel: SSL/TLS connection with mcr.microsoft.com established",
        ),
    ),
    why="Windows (schannel) asks the certificate authority over HTTP (port 80) whether a certificate was revoked. The firewall lets 443 out but not these addresses, or a proxy shows a certificate that names no revocation list.",
    remedy=(
        Step(
            "See which CRL and OCSP addresses the certificate names, and allow them on port 80 (for Microsoft: *.microsoft.com/pkiops, crl3.digicert.com, crl4.digicert.com, ocsp.digicert.com).",
        ),
        Step(
            "Exempt Azure's hosts from TLS inspection, or let the proxy's certificate name a revocation list that is reachable.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/network-requirements-consolidated",),
    leads_to=("host.download_cut",),
)
