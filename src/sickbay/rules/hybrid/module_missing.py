from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The PowerShell module of AKS (AksHci, Moc, Kva, AksEdge or Az.StackHCI) is not installed or not loaded",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)The term '?(?P<command>[A-Za-z]+-(?:AksHci|AksEdge|Moc|Kva|AzStackHCI|AzureStackHCI|Aide|SolutionUpdate)\w*)'? is not recognized|module '?(?P<module>AksHci|AksEdge|Moc|Kva|DownloadSdk|AksEdgeDeploy)'? (?:was not loaded|could not be loaded|is not installed|not found)|(?:specified|required) module '?(?P<other>AksHci|AksEdge|Moc|Kva|DownloadSdk)'?(?: with version '?[\d.]{3,20}'?)? (?:was|is) not loaded",
            says="a command of the module is not known",
            sample="The term 'New-AksEdgeDeployment' is not recognized as the name of a cmdlet, function, script file, or operable program.",
            near_miss="New-AksEdgeDeployment -JsonConfigFilePath aksedge-config.json",
        ),
    ),
    why="The commands of AKS on Azure Local, Windows Server and Edge Essentials come with PowerShell modules. A window that was opened before their installation, PowerShell 7 instead of Windows PowerShell, or a node without the module does not know them.",
    remedy=(
        Step(
            "See what is installed.",
            run=(
                "powershell",
                "-Command",
                "Get-Module -ListAvailable AksHci,Moc,Kva,AksEdge,Az.StackHCI",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Install the module (Install-Module AksHci, or the AksEdge MSI), close all windows and open a new elevated Windows PowerShell.",
            run=(
                "powershell",
                "-Command",
                "Install-Module -Name AksHci -Repository PSGallery -Force -AcceptLicense",
            ),
            risk=Risk.SAFE,
            verify="Get-Command -Module AksHci lists the commands",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/kubernetes-walkthrough-powershell",
        "https://learn.microsoft.com/azure/aks/aksarc/aks-edge-howto-setup-machine",
    ),
)
