from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A storage account refuses the TLS version of a client (TlsVersionNotPermitted)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.STORAGE),
    detect=(
        Signature(
            pattern=r"\bTlsVersionNotPermitted\b|TLS version of the connection is not permitted on this storage account",
            says="the storage account does not permit the TLS version",
            sample="TlsVersionNotPermitted: The TLS version of the connection is not permitted on this storage account.",
            near_miss="The TLS version of the connection is permitted on this storage account.",
        ),
    ),
    why="The storage account has a minimum TLS version (1.2 everywhere since February 2026), and the client offers an older one: an old runtime (.NET Framework before 4.7, Java 7, old OpenSSL), or a program that sets TLS 1.0 itself.",
    remedy=(
        Step(
            "See the minimum of the account.",
            run=(
                "az",
                "storage",
                "account",
                "show",
                "-n",
                "<account>",
                "--query",
                "minimumTlsVersion",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the client speak TLS 1.2 or later: update its runtime or base image, and remove settings that name an older version (SecurityProtocol, jdk.tls.client.protocols, MinProtocol).",
            verify="the same call is answered",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/storage/common/transport-layer-security-configure-minimum-version",
    ),
    leads_to=("kubernetes.program_fails",),
    ask="az storage account show -n <account> --query minimumTlsVersion",
)
