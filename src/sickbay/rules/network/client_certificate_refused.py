from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A server refuses the client certificate, or wants one that the client does not send (mutual TLS)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?:remote error: )?tls: certificate required|(?:Get|Post|Put|Head|dial|connect)\W.{0,300}?remote error: tls: (?:bad certificate|unknown certificate(?: authority)?|expired certificate)|(?i:alert (?:bad certificate|certificate required|unknown ca))|tlsv1[\d.]* alert unknown ca|\bTLSV1_ALERT_(?:UNKNOWN_CA|CERTIFICATE_REQUIRED)\b|\bSSLV3_ALERT_(?:BAD_CERTIFICATE|CERTIFICATE_(?:EXPIRED|UNKNOWN))\b|400 No required SSL certificate was sent|client sent no required SSL certificate|client SSL certificate verify error|\bERR_(?:BAD_SSL_CLIENT_AUTH_CERT|SSL_CLIENT_AUTH_CERT_NEEDED)\b|SSL_ERROR_BAD_CERT_ALERT|FATAL: connection requires a valid client certificate",
            says="the server refuses the client certificate",
            sample='Get "https://api.corp.example/": remote error: tls: bad certificate',
            near_miss='Get "https://api.corp.example/": 200 OK',
            weight=TYPICAL,
            unless=r"TLS handshake error from|kubelet|:10250",
        ),
    ),
    why="The server asked for a client certificate in the handshake and ended it with an alert: none was sent, it is signed by an authority that the server does not know, or it has expired.",
    remedy=(
        Step(
            "See which client certificate the program sends, who signed it and until when it is valid."
        ),
        Step(
            "Look at the handshake.",
            run=(
                "openssl",
                "s_client",
                "-connect",
                "<host>:443",
                "-cert",
                "<file>",
                "-key",
                "<file>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the program a certificate that the server trusts, or add its authority on the server."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/app-routing-nginx-configuration",),
    ask="openssl s_client -connect <host>:443",
)
