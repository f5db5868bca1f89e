from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="PowerShell remoting (WinRM, CredSSP) to a host does not work, which the installation of AKS or MOC needs",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Powershell remoting to (?P<host>[\w.-]+) was not successful",
            says="remoting to {host} failed",
            sample="WinRM is already set up for remote management on this computer. Powershell remoting to host-01 was not successful.",
            near_miss="Powershell remoting to host-01 was successful.",
        ),
        Signature(
            pattern=r"(?i)Connecting to remote server (?P<host>[\w.-]+) failed with the following error message ?: ?(?:Access is denied|An unknown security error|The WinRM client|WinRM cannot|The client cannot connect)",
            says="the session to {host} was not opened",
            sample="Connecting to remote server host-02 failed with the following error message : Access is denied. For more information, see the about_Remote_Troubleshooting Help topic.",
            near_miss="Connected to remote server host-02",
            unless=r"PSSession(?:AccessDenied|Get-SCVMMServer|MIResultFailed)",
        ),
        Signature(
            pattern=r"(?i)The WinRM client cannot process the request\b|WinRM cannot (?:complete|process) the (?:operation|(?:configuration )?request)(?P<host>)|TCP connect to \((?P<tested>[\w.-]+) : 598[56]\) failed",
            says="WinRM refuses the session",
            sample="The WinRM client cannot process the request. If the authentication scheme is different from Kerberos, or if the client computer is not joined to a domain, then HTTPS transport must be used",
            near_miss="The WinRM client processed the request",
            weight=TYPICAL,
            # A list of trusted hosts that cannot be read is a fault of its own.
            unless=r"(?i)configuration request\W{1,4}The hostname",
        ),
        Signature(
            # What stays the same in every language of Windows, and the German sentence.
            pattern=r"\bPSSession(?:StateBroken|OpenFailed)\b|(?i:Beim Verbinden mit dem Remoteserver \W{0,2}(?P<host>[\w.-]+)\W{0,2} ist folgender Fehler aufgetreten)|http response error: 401 - invalid content type|(?i:Couldn't enable CredSSP delegation|Could not find the role capability, '[\w-]*CredSSP[\w-]*')",
            says="the session[ to {host}] was not opened",
            sample="FullyQualifiedErrorId : 50,PSSessionStateBroken",
            near_miss="FullyQualifiedErrorId : PSSessionStateOpened",
            unless=r"PSSession(?:AccessDenied|Get-SCVMMServer|MIResultFailed)",
            weight=TYPICAL,
        ),
    ),
    why="The cmdlets run parts of their work on every host over WinRM with the signed-in user. It is refused when that user is no administrator there, when a group membership or password has changed since the sign-in, when the host has no service principal name for WSMAN, or, with CredSSP, when a policy does not let credentials be delegated or the role capability of CredSSP is missing.",
    remedy=(
        Step(
            "Try it.",
            run=(
                "powershell",
                "-Command",
                "Enter-PSSession",
                "{host}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Sign out and in again, so that the token has the present groups and password.",
        ),
        Step(
            "Enable remoting on the host.",
            run=(
                "powershell",
                "-Command",
                "Enable-PSRemoting",
                "-Force",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "If the host has no name for WSMAN, add one.",
            run=(
                "powershell",
                "-Command",
                "setspn",
                "-S",
                "WSMAN/{host}",
                "{host}",
            ),
            risk=Risk.SAFE,
            verify="Enter-PSSession {host} opens a session",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",
        "https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_remote_troubleshooting",
    ),
)
