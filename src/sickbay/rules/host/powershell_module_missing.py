from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An Azure PowerShell module is not installed or not loaded: the command is not recognized",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)The term '?(?P<command>[A-Za-z]+-Az(?:Aks|Arc|Connected|Kubernetes|Account|Context|Subscription|Resource|Vm|Vmss|Virtual|Network|Private|Dns|Nat|Load|PublicIp|Application|Firewall|Route|Container|KeyVault|Storage|Role|Ad|Log|Monitor|Feature|Fleet|CustomLocation|Stack|Nexus)\w*)'? is not recognized|specified module '?(?P<module>Az(?:\.\w+)?)'? was not loaded because no valid module file|The '(?P<known>[A-Za-z]+-Az\w+)' command was found in the module '(?P<holder>[\w.]+)', but the module could not be loaded",
            says="this PowerShell does not know[ {command}][ {known}][ the module {module}]",
            sample="Import-AzAksCredential : The term 'Import-AzAksCredential' is not recognized as the name of a cmdlet, function, script file, or operable program.",
            near_miss="The term 'Get-AksHciCluster' is not recognized as the name of a cmdlet, function, script file, or operable program.",
        ),
    ),
    why="The command belongs to a module of Azure PowerShell that this session does not find: it was never installed, was installed for another user or in the other PowerShell (5.1 and 7 have folders of their own), or is too old to have the command.",
    remedy=(
        Step(
            "See which modules are here, and in which version.",
            run=("pwsh", "-Command", "Get-Module -ListAvailable Az.*"),
            risk=Risk.READ,
        ),
        Step(
            "Install Az for this user, in the PowerShell that runs the script.",
            run=(
                "pwsh",
                "-Command",
                "Install-Module Az -Scope CurrentUser -Repository PSGallery",
            ),
            risk=Risk.SAFE,
            verify="Get-Command finds it",
        ),
    ),
    docs=("https://learn.microsoft.com/powershell/azure/install-azure-powershell",),
    ask="pwsh -Command Get-Module -ListAvailable Az.*",
)
