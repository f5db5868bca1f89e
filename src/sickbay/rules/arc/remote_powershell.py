from sickbay.model.host import ManagementMachine
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(ManagementMachine, TYPICAL)
def is_a_remote_session(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    is_remote = machine.known(machine.is_remote_session, "the session")
    if not is_remote or not machine.appliance:
        return Clear("no resource bridge is managed from a remote PowerShell session")
    return Match(
        "this runs inside a remote PowerShell session (wsmprovhost is above it)",
        cites=(machine.cite("isRemoteSession", machine.is_remote_session),),
    )


RULE = Rule(
    title="The command ran in a remote PowerShell session, or as a user without a login to the local MOC agent",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        is_a_remote_session,
        Signature(
            pattern=r"(?i)authentication handshake failed:? ?\W{0,4}(?:tls: failed to verify certificate: )?x509: certificate signed by unknown authority",
            says="the handshake with the local agent failed",
            sample='rpc error: code = Unavailable desc = connection error: desc = "transport: authentication handshake failed: x509: certificate signed by unknown authority"',
            near_miss="authentication handshake failed: EOF",
            weight=TYPICAL,
            # The tunnel agents of AKS print their TLS errors the same way.
            unless=r"(?i)konnectivity|proxy[ -]server|cannot (?:connect|sync) once|clientset\.go",
        ),
        Signature(
            pattern=r"(?i)arcappliance.{0,200}?(?:wsmprovhost|ServerRemoteHost|PSSenderInfo)",
            says="the command ran in a remote PowerShell session",
            sample="az arcappliance prepare failed in host ServerRemoteHost",
            near_miss="az arcappliance prepare ran in host ConsoleHost",
        ),
    ),
    why="The handshake with the local agent needs the login that MOC keeps in the profile of the user who installed it (.wssd). A remote PowerShell session and another user do not have it, and one of an earlier installation is refused: authentication handshake failed, x509: certificate signed by unknown authority. az arcappliance is not supported from remote PowerShell at all.",
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
            "Sign in to the node by RDP or at its console, as the user who installed it, and run the command there.",
        ),
        Step(
            "If it still fails there, remove the login of an earlier installation; it is made anew.",
            run=("Remove-Item", "$env:USERPROFILE\\.wssd\\kvactl\\cloudconfig"),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    ask="powershell $PSSenderInfo",
)
