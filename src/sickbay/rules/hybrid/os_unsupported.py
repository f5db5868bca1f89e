from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A machine runs an operating system version that a new Azure Local deployment does not support",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Unsupported Azure (?:Stack HCI|Local) OS Version|version of Azure (?:Stack HCI|Local) OS currently installed .{0,60}?not supported|has an OS Sku \[[^\]]{0,80}\] which is not supported for deployment",
            says="the operating system of a machine is not supported",
            sample="ValidationFailed: Unsupported Azure Stack HCI OS Version. The version of Azure Stack HCI OS currently installed on your system is not supported for new deployments.",
            near_miss="The Azure Stack HCI OS version is supported for new deployments",
        ),
    ),
    why="New instances may only be made from the current releases of the Azure Stack HCI operating system; an older image, another edition, or a machine whose agent has not reported its edition yet (an empty Sku) is refused in the validation.",
    remedy=(
        Step(
            "See what the machine has.",
            run=(
                "powershell",
                "-Command",
                "Get-ComputerInfo",
                "-Property",
                "OsName,OsVersion,OsBuildNumber",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Install the image that the Azure portal offers now on every machine, register it with Arc again, and repeat the validation.",
            risk=Risk.DESTRUCTIVE,
            verify="the validation of the deployment ends with Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/deploy/download-23h2-software",),
    leads_to=("hybrid.deployment_validation",),
    ask="Get-ComputerInfo -Property OsName,OsVersion,OsBuildNumber",
)
