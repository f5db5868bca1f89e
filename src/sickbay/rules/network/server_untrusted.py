from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program does not trust the certificate of the server that it calls",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"server certificate verification failed\. CA|cannot verify \S{3,200}'s certificate, issued by|PKIX path building failed|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|The remote certificate is invalid (?:according|because)|x509: certificate signed by unknown authority|x509: .{1,120}? certificate is not trusted|x509: certificate is not authorized to sign|unable to get (?:local )?issuer certificate|(?i:self[- ]signed certificate)|unable to verify the first certificate|\bCERTIFICATE_VERIFY_FAILED\b|invalid peer certificate: UnknownIssuer|TLS handshake error from \S{3,60}: remote error: tls: (?:bad certificate|unknown certificate)|upstream SSL certificate verify error|SSL peer certificate validation failed|SSL certificate problem: |issued by an authority that is not trusted|\b(?:ERR_CERT_AUTHORITY_INVALID|SEC_ERROR_UNKNOWN_ISSUER|MOZILLA_PKIX_ERROR_(?:SELF_SIGNED_CERT|MITM_DETECTED))\b|(?i:Could not establish trust relationship for the SSL/TLS secure channel)",
            says="a program does not trust the certificate of a server",
            sample="javax.net.ssl.SSLHandshakeException: PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path to requested target",
            near_miss="javax.net.ssl.SSLHandshakeException: Received fatal alert: protocol_version",
            weight=TYPICAL,
            common=True,
            unless=r"(?i:generat|creat|using (?:a )?self|issued|selfsigned)\w* .{0,60}?self[- ]signed",
        ),
    ),
    why="The chain of the certificate does not end at an authority that the program knows: the server has one of a private authority, does not send its intermediate certificate, or a firewall on the way inspects TLS and shows its own.",
    remedy=(
        Step(
            "See who signed what the server shows.",
            run=("openssl", "s_client", "-connect", "<host>:443", "-showcerts"),
            risk=Risk.READ,
        ),
        Step(
            "Give the authority to the program: a mounted CA bundle, NODE_EXTRA_CA_CERTS, the truststore of Java, or the custom certificate trust of AKS for the nodes."
        ),
        Step(
            "If a firewall inspects TLS, exempt this host from it.",
            verify="the same call is answered",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/custom-certificate-authority",),
    leads_to=("kubernetes.program_fails",),
    ask="openssl s_client -connect <host>:443 -showcerts",
    vague=True,
)
