from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="az arcappliance was run from a remote PowerShell session, which is not supported",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)authentication handshake failed:? ?\W{0,4}(?:tls: failed to verify certificate: )?x509: certificate signed by unknown authority",
            says="the handshake with the local agent failed",
            sample='rpc error: code = Unavailable desc = connection error: desc = "transport: authentication handshake failed: x509: certificate signed by unknown authority"',
            near_miss="authentication handshake failed: EOF",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)arcappliance.{0,200}?(?:wsmprovhost|ServerRemoteHost|PSSenderInfo)",
            says="the command ran in a remote PowerShell session",
            sample="az arcappliance prepare failed in host ServerRemoteHost",
            near_miss="az arcappliance prepare ran in host ConsoleHost",
        ),
    ),
    why="The handshake with the local agent needs the certificates of the signed-in user, which a remote PowerShell session does not have: authentication handshake failed, x509: certificate signed by unknown authority. Commands must be run in an RDP or console session on the node or the management machine itself.",
    remedy=(
        Step(
            "See whether the session is remote: the variable is set there only.",
            run=(
                "powershell",
                "$PSSenderInfo",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Sign in to the node by RDP or at its console, and run the command there.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    ask="powershell $PSSenderInfo",
)
