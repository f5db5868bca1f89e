from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Windows host does not meet what AKS Edge Essentials needs (Hyper-V, nested virtualization, memory)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Error: Run this in 64-?bit Powershell session|\bwithout Nested Hyper-V\b|Hyper-V is disabled|does not have required virtualization capabilities|\b(?:AksEdge\w*|Install-AksEdgeHostFeatures|host features?)\b.{0,200}?(?:Hyper-V\b.{0,60}?(?:not (?:enabled|installed|available|supported)|disabled|missing|failed)|(?:not enough|insufficient) (?:memory|disk|cpu|ram|resources)|nested virtuali[sz]ation\b.{0,40}?not)|Hyper-V\b.{0,40}?(?:is )?not (?:enabled|installed)|missing (?:the )?required (?:host )?features?\b.{0,40}?Hyper-V",
            says="the host lacks something",
            sample="Running as a virtual machine without Nested Hyper-V",
            near_miss="Running as a virtual machine with Nested Hyper-V enabled",
            weight=TYPICAL,
        ),
    ),
    why="AKS Edge Essentials runs its node as a Hyper-V machine: the features Microsoft-Hyper-V and OpenSSH client must be on, a virtual host must expose nested virtualization, the session must be a 64-bit PowerShell, and memory, processors and disk of the host must cover the node beside Windows.",
    remedy=(
        Step(
            "See features, memory and disk.",
            run=(
                "powershell",
                "-Command",
                "Get-WindowsOptionalFeature -Online -FeatureName Microsoft-Hyper-V*; Get-ComputerInfo -Property CsTotalPhysicalMemory,HyperVisorPresent",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Turn Hyper-V on (nested on the outer host with Set-VMProcessor -ExposeVirtualizationExtensions $true), restart, and run again in a 64-bit PowerShell as administrator; lower MemoryInMB or CpuCount of the node if the host is small.",
            run=(
                "powershell",
                "-Command",
                "Install-AksEdgeHostFeatures",
            ),
            risk=Risk.DISRUPTIVE,
            verify="New-AksEdgeDeployment says that all required host features are installed",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-edge-system-requirements",),
    ask="powershell -Command Get-WindowsOptionalFeature -Online -FeatureName Microsoft-Hyper-V",
)
