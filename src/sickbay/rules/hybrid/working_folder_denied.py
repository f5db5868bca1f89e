from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The folders of AKS on Azure Stack HCI (.Moc, .Kva, .AksHci) cannot be written",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Access to the path \W?[^'\"]{0,200}?(?P<folder>\.(?:Moc|Kva|AksHci|wssd))\b[^'\"]{0,200}\W? is denied",
            says="{folder} cannot be written",
            sample="Applying platform configurations failed. Error: Access to the path '.Moc' is denied.",
            near_miss="The path '.Moc' was created.",
            weight=TYPICAL,
        ),
    ),
    why="Set-AksHciConfig and Windows Admin Center write their state below the working folder, which must be on a cluster shared volume that exists under just that name, and by an administrator of every node. A volume whose folder has another name than the volume, a session without elevation, or files of an earlier installation by another user are refused.",
    remedy=(
        Step(
            "See the folders of the volumes; their names can differ from those of the volumes.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterSharedVolume | Select-Object Name,@{n='Path';e={$_.SharedVolumeInfo.FriendlyVolumeName}}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See who owns the folder.",
            run=("powershell", "-Command", "Get-Acl <folder> | Format-List Owner,AccessToString"),
            risk=Risk.READ,
        ),
        Step(
            "Give imageDir, workingDir and cloudConfigLocation as they are on the volume, and run it as administrator.",
            run=(
                "powershell",
                "-Command",
                "Set-AksHciConfig -imageDir <path> -workingDir <path> -cloudConfigLocation <path>",
            ),
            risk=Risk.SAFE,
            verify="Get-AksHciConfig shows the folders",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",
        "https://learn.microsoft.com/azure/aks/aksarc/reference/ps/set-akshciconfig",
    ),
    leads_to=("hybrid.akshci_failed",),
    ask="powershell -Command Get-ClusterSharedVolume",
)
