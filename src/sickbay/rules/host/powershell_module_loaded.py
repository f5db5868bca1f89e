from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="PowerShell modules of different versions collide in this session (Az.Accounts or another is loaded already)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)This module requires (?P<module>[\w.]+) version (?P<wanted>[\d.]*\d)\. An earlier version of [\w.]+ is imported|Assembly with same name is already loaded|Could not load file or assembly '(?P<assembly>(?:Azure\.(?:Core|Identity)|Microsoft\.(?:Identity|Azure)|Newtonsoft\.Json)[\w.]*),? .{0,400}?(?:manifest definition does not match|cannot find the file specified|already loaded)|The required module '(?P<required>Az\.\w+)' (?:is not loaded|with version)",
            says="a loaded module does not fit[: {module} {wanted} is wanted][: {assembly}][: {required}]",
            sample="Import-Module : This module requires Az.Accounts version 5.3.0. An earlier version of Az.Accounts is imported in the current PowerShell session. Please open a new session before importing this module.",
            near_miss="Import-Module : Az.Accounts version 5.3.0 was imported in the current PowerShell session.",
            # A service that says so of itself is not this session.
            unless=r"(?i)confirm connectivity to Arc-enabled cluster",
        ),
        Signature(
            pattern=r"(?i)(?:Import-Module|\bAz\.\w+) ?: Could not load file or assembly '(?P<assembly>[\w.]{3,80})",
            says="an assembly of a module cannot be loaded[: {assembly}]",
            sample="Import-Module : Could not load file or assembly 'Azure.Core, Version=1.35.0.0, Culture=neutral, PublicKeyToken=92742159e12e44c8' or one of its dependencies.",
            near_miss="Import-Module : The module Az.Aks was loaded.",
            weight=TYPICAL,
        ),
    ),
    why="A session keeps the first version of a module and of its .NET assemblies that it loaded. A module that wants a newer one (This module requires Az.Accounts version ...) fails until a new session is opened, and fails again there when an older version is found first in the module path.",
    remedy=(
        Step(
            "See which versions are installed.",
            run=("powershell", "-Command", "Get-Module -ListAvailable Az.Accounts"),
            risk=Risk.READ,
        ),
        Step("Close all PowerShell windows, open a new one, and load the wanted module first."),
        Step(
            "If it fails there too, remove the older versions; on a machine of Azure Local keep those that its release names.",
        ),
    ),
    docs=("https://learn.microsoft.com/powershell/azure/troubleshooting",),
)
