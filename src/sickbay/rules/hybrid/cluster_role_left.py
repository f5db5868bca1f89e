from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The role of the MOC cloud agent is left over in the failover cluster from an earlier installation",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)creating resource '[^']{3,60}' for the clustered role '(?P<role>[\w-]+)'.{0,999}?object already exists|object already exists\W{1,4}An error occurred while creating resource '[^']{3,60}' for the clustered role '(?P<other>[\w-]+)'",
            says="the clustered role exists already",
            sample="Install-AksHci failed with error - [The object already exists] An error occurred while creating resource 'IPv4 Address 10.0.0.9' for the clustered role 'ca-3f72bdeb-4ae9'",
            near_miss="Created resource 'IPv4 Address 10.0.0.9' for the clustered role 'ca-3f72bdeb-4ae9'",
        ),
        Signature(
            pattern=r"(?i)error occurred while creating resource '[^']{3,60}' for the clustered role 'ca-(?P<role>[\w-]+)'",
            says="a resource of the clustered role could not be created",
            sample="Exception [An error occurred while creating resource 'MOC Cloud Agent Service' for the clustered role 'ca-3f72bdeb-4ae9'.]",
            near_miss="Created resource 'MOC Cloud Agent Service' for the clustered role 'ca-3f72bdeb-4ae9'",
            weight=TYPICAL,
        ),
    ),
    why="An earlier installation failed or was removed only in part, and its cluster role with address, name and service is still there. The new installation cannot create the same resource again.",
    remedy=(
        Step(
            "List what is left.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterGroup -Name ca-* | Get-ClusterResource",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the left resources.",
            run=(
                "powershell",
                "-Command",
                "Remove-ClusterResource",
                "-Name",
                "<resource>",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Remove the rest of the installation, open a new PowerShell window, and install again.",
            run=(
                "powershell",
                "-Command",
                "Uninstall-AksHci",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",),
)
