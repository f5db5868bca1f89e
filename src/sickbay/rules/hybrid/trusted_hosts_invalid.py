from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="TrustedHosts of WinRM is *, and no further name can be added to it",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)WinRM cannot process the configuration request\W{1,4}The hostname pattern is invalid",
            says="the list of trusted hosts is refused",
            sample='WinRM cannot process the configuration request. The hostname pattern is invalid: "*" Hostname patterns must contain one or more patterns. A pattern can contain at most one wildcard ("*").',
            near_miss="WinRM has been updated to receive requests.",
        ),
    ),
    why="A check or an installer adds the other machines to the client list TrustedHosts. `*` must stand there alone, so that a list of it and a name is refused, and the remote session is never made.",
    remedy=(
        Step(
            "See the list on every machine, and whether a policy sets it.",
            run=(
                "powershell",
                "-Command",
                "Get-Item WSMan:\\localhost\\Client\\TrustedHosts; Get-ItemProperty HKLM:\\SOFTWARE\\Policies\\Microsoft\\Windows\\WinRM\\Client -ErrorAction SilentlyContinue",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Where it is * and no policy sets it, clear it, then run the operation again.",
            run=(
                "powershell",
                "-Command",
                "Clear-Item WSMan:\\localhost\\Client\\TrustedHosts -Force",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-Item WSMan:\\localhost\\Client\\TrustedHosts lists the machines that the operation added",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/windows/win32/winrm/installation-and-configuration-for-windows-remote-management",
        "https://learn.microsoft.com/azure/azure-local/manage/use-environment-checker",
    ),
    leads_to=("hybrid.update_step_failed", "hybrid.deployment_validation"),
    ask="powershell -Command Get-Item WSMan:\\localhost\\Client\\TrustedHosts",
)
