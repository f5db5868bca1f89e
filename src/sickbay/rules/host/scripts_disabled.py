from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="PowerShell does not run scripts on this machine (execution policy)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Do you want to run software from this untrusted publisher|cannot be loaded\. The file \S{1,200} is not digitally signed|cannot be loaded because running scripts is disabled on this system|is not digitally signed\. You cannot run this script|PSSecurityException.{0,80}?UnauthorizedAccess|FullyQualifiedErrorId ?: ?UnauthorizedAccess,Microsoft\.PowerShell",
            says="scripts are not allowed",
            sample="File C:\\arc\\resource-bridge-onboarding-script.ps1 cannot be loaded because running scripts is disabled on this system.",
            near_miss="File C:\\arc\\resource-bridge-onboarding-script.ps1 was run",
        ),
    ),
    why="The execution policy of PowerShell forbids scripts, or scripts that are not signed. Onboarding scripts and modules for Arc are scripts, so nothing of them ran.",
    remedy=(
        Step(
            "Allow them for this session only.",
            run=(
                "powershell",
                "Set-ExecutionPolicy",
                "-Scope",
                "Process",
                "-ExecutionPolicy",
                "Bypass",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Where a group policy sets it, ask for an exception: MachinePolicy and UserPolicy stand above the session.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_execution_policies",
    ),
)
