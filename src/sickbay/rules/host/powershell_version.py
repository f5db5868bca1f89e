from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The command needs another PowerShell than the one that runs it (Windows PowerShell 5.1 or PowerShell 7)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)does not contain a method named '(?:ExportRSAPublicKey|ImportRSAPrivateKey|ExportRSAPrivateKey)'|contained an? \"?#requires\"? statement for (?:Windows )?PowerShell (?P<wanted>[\d.]+)|requires a minimum (?:Windows )?PowerShell version of '?(?P<least>[\d.]+)|The current version of (?:Windows )?PowerShell is '?(?P<have>[\d.]+)'?\. The module .{0,200}? requires|is not supported (?:on|in|with) (?:Windows )?PowerShell (?:5\.1|Core|7[\d.]*)\b|not support(?:s|ed)? (?:the )?current PowerShell edition '?(?P<edition>Core|Desktop)",
            says="this PowerShell does not fit[: {wanted} is wanted][: at least {least} is wanted][: it is {have}][: it is of the edition {edition}]",
            sample="New-AzConnectedKubernetes : Method invocation failed because [System.Security.Cryptography.RSACng] does not contain a method named 'ExportRSAPublicKey'.",
            near_miss="New-AzConnectedKubernetes : the object contains a method named 'ExportParameters'",
        ),
    ),
    why="Windows PowerShell 5.1 stands on the .NET Framework, PowerShell 7 on .NET. Az.ConnectedKubernetes makes its key pair with methods that only .NET has (ExportRSAPublicKey), so it needs PowerShell 7; AksHci, AksEdge, FailoverClusters and other modules of Windows work in 5.1 only. Both are on one machine, as powershell and pwsh.",
    remedy=(
        Step(
            "See which one runs.",
            run=("pwsh", "-Command", "$PSVersionTable.PSVersion"),
            risk=Risk.READ,
        ),
        Step(
            "Start the other (pwsh for Az modules, powershell for modules of Windows), load the module there, and repeat the command.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/powershell/scripting/install/installing-powershell-on-windows",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster?tabs=azure-powershell",
    ),
)
