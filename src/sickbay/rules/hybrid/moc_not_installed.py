from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The MOC tools or their cloud configuration are missing on the Azure Local node",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Unable to find command .{0,120}?(?:mocctl|kvactl|nodectl|wssd\w*)\.exe|The term '?[^']{0,120}?(?:mocctl|kvactl|nodectl|wssd\w*)(?:\.exe)?'? is not recognized|could not read cloudconfig file|unable to locate a valid cloudconfig\b",
            says="the MOC tools or the cloudconfig file were not found",
            sample=r"Unable to find command C:\Program Files\AksHci\mocctl.exe",
            near_miss=r"Running command C:\Program Files\AksHci\mocctl.exe cloud node list",
        ),
    ),
    why="`mocctl.exe`, `kvactl.exe` and the cloudconfig file are laid down by the installation of MOC, the layer that makes virtual machines on Azure Local. Without them the download or the installation of MOC itself did not finish on this node, or the command runs on a node or under a user that it was not installed for.",
    remedy=(
        Step(
            "See whether MOC is installed, and what its configuration says.",
            run=("powershell", "-Command", "Get-MocConfig"),
            risk=Risk.READ,
        ),
        Step(
            "Where the download stopped, clear the proxy or firewall on the way to msk8s.b.tlu.dl.delivery.mp.microsoft.com, and install MOC again.",
            run=("powershell", "-Command", "Install-Moc"),
            risk=Risk.DISRUPTIVE,
            verify="Get-MocNode lists every node as Active",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",),
    ask="powershell -Command Get-MocConfig",
)
