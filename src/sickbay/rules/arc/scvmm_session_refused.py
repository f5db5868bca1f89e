from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The SCVMM server refuses the PowerShell session of the management machine (CreateConfig, WinRM)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"PSSession(?P<what>AccessDenied|Get-SCVMMServer|MIResultFailed)|(?i:(?:cannot contact|unable to connect to|failed to connect to) (?:the )?(?:Virtual Machine Manager|VMM)(?: management)? server|(?:Virtual Machine Manager|\bSCVMM server).{0,300}?\((?:Error )?ID: 16(?:0[024]|1[235])\b)",
            says="the session to the VMM server failed[: {what}]",
            sample="CreateConfigKvaCustomerError: PSSessionAccessDenied: Connecting to remote server vmm01 failed: Access is denied.",
            near_miss="PSSession to vmm01 opened",
        ),
    ),
    why="`az arcappliance createconfig scvmm` opens a PowerShell session to the VMM server over WinRM (5985, 5986) and calls Get-SCVMMServer (port 8100). PSSessionAccessDenied means a missing right, PSSessionMIResultFailed a closed port, PSSessionGet-SCVMMServer a wrong server name or version.",
    remedy=(
        Step(
            "Try WinRM from the management machine.",
            run=(
                "Test-NetConnection",
                "<vmm-server>",
                "-Port",
                "5985",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use a VMM administrator who is a local administrator on every VMM node, open 5985, 5986 and 8100, and give the right server name.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/system-center-virtual-machine-manager/troubleshoot-scvmm",
    ),
)
