from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="PowerShell does not run the script or module: the execution policy or an untrusted publisher stops it",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Do you want to run software from this untrusted publisher|cannot be loaded because running scripts is disabled on this system|cannot be loaded\. The file \S{1,200} is not digitally signed",
            says="a script or module was refused",
            sample="File C:\\a.ps1 cannot be loaded because running scripts is disabled on this system.",
            near_miss="File C:\\a.ps1 was loaded",
        ),
    ),
    why="Windows lets PowerShell run only what its execution policy allows. With Restricted or AllSigned, or a publisher that was never trusted, modules such as AksEdge or AksHci are refused or ask a question that nobody answers.",
    remedy=(
        Step(
            "See the policies.",
            run=(
                "powershell",
                "-Command",
                "Get-ExecutionPolicy -List",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow signed scripts for this process.",
            run=(
                "powershell",
                "-Command",
                "Set-ExecutionPolicy -ExecutionPolicy RemoteSigned -Scope Process -Force",
            ),
            risk=Risk.SAFE,
            verify="the module loads",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_execution_policies",
    ),
)
