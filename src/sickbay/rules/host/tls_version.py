from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="PowerShell here offers no TLS version that the server takes (Could not create SSL/TLS secure channel)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)Could not create SSL/TLS secure channel|remote party sent a TLS alert: '?(?:HandshakeFailure|ProtocolVersion)|The underlying connection was closed: An unexpected error occurred on a (?:send|receive)",
            says="no secure channel was made",
            sample="Invoke-WebRequest : The request was aborted: Could not create SSL/TLS secure channel.",
            near_miss="Invoke-WebRequest : The remote server returned an error: (404) Not Found.",
            weight=TYPICAL,
        ),
    ),
    why="Azure takes TLS 1.2 and later only. Windows PowerShell and older .NET offer an older version unless they are told, and a policy or a proxy may take away the ciphers that are left.",
    remedy=(
        Step(
            "Let .NET use strong cryptography, and TLS 1.2 in this session: [Net.ServicePointManager]::SecurityProtocol = 'Tls12'.",
        ),
        Step(
            "See what the server takes.",
            run=(
                "openssl",
                "s_client",
                "-connect",
                "management.azure.com:443",
                "-tls1_2",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/servers/agent-overview",),
    ask="openssl s_client -connect management.azure.com:443 -tls1_2",
    leads_to=("host.download_cut",),
)
