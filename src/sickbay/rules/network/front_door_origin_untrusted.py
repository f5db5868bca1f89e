from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure Front Door does not take the certificate of its origin (name, chain or handshake)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i:\bErrorInfo(?:_s)?)[\"']?(?: is|:|=| |,) ?[\"']?(?P<reason>Certificate(?:Error|NameCheckFailed)|SSL(?:HandshakeError|InvalidRootCA|InvalidCipher|MismatchedSNI))\b",
            says="Front Door says {reason} of its origin",
            sample='"httpStatusCode": "502", "errorInfo": "CertificateNameCheckFailed", "originName": "20.62.1.4:443"',
            near_miss='"httpStatusCode": "502", "errorInfo": "OriginTimeout", "originName": "20.62.1.4:443"',
        ),
    ),
    why="With HTTPS Front Door checks the origin as a browser does: the certificate must come from a public authority, with its whole chain, and carry the host name of the origin (an address never matches). The self-signed certificate that an ingress controller serves without a TLS secret fails each of these.",
    remedy=(
        Step(
            "See which certificate the origin shows.",
            run=("openssl", "s_client", "-connect", "<origin>:443", "-servername", "<host>"),
            risk=Risk.READ,
        ),
        Step(
            "Give the ingress a certificate of a public authority for the host name, with its chain, and set that name as host name and host header of the origin."
        ),
        Step(
            "Where the origin stays an address, turn off the name check of the origin, or reach it by Private Link.",
            run=(
                "az",
                "afd",
                "origin",
                "update",
                "-g",
                "<group>",
                "--profile-name",
                "<profile>",
                "--origin-group-name",
                "<origin-group>",
                "--origin-name",
                "<origin>",
                "--enforce-certificate-name-check",
                "false",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the access log says NoError",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/frontdoor/end-to-end-tls",
        "https://learn.microsoft.com/azure/frontdoor/troubleshoot-issues",
    ),
    leads_to=("network.front_door_origin_fails",),
    ask="openssl s_client -connect <origin>:443 -servername <host>",
)
