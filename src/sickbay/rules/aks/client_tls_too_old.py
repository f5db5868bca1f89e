from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The client offers only TLS versions that the API server no longer accepts",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"tls: client offered only unsupported versions|tls: protocol version not supported|(?i:TLS (?:version|protocol) .{0,40}? (?:not supported|too old))",
            says="a client offers only old TLS versions",
            sample="http: TLS handshake error from 10.0.0.7:51234: tls: client offered only unsupported versions: [302 301]",
            near_miss="TLS handshake done: client offered version 304",
        ),
    ),
    why="The API server accepts TLS 1.2 and newer. A client of an old runtime or library, or one with TLS 1.2 switched off, cannot agree on a version.",
    remedy=(
        Step(
            "Update the client or its runtime, or switch TLS 1.2 on.",
            risk=Risk.SAFE,
            verify="openssl s_client -connect <api-server-fqdn>:443 -tls1_2 wants a certificate",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/concepts-security",),
    leads_to=("aks.api_server_unreachable",),
    ask="openssl s_client -connect <api-server-fqdn>:443 -tls1_2",
)
