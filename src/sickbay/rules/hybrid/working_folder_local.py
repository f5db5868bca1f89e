from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The working folder of AKS on Azure Stack HCI is no cluster shared volume and no network share",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.STORAGE),
    detect=(
        Signature(
            pattern=r"(?i)-?(?:workingDir|imageDir|cloudConfigLocation)\b.{0,120}?\bto (?:be )?an? (?:network share|UNC path|CSV|cluster shared volume)|(?:workingDir|imageDir|cloudConfigLocation)\b.{0,120}?must (?:be|lie) (?:on|in) an? (?:CSV|cluster shared volume|network share)",
            says="the folder is local to one node",
            sample="For multi-node deployments you must set -workingDir parameter to a network share or CSV path.",
            near_miss="The workingDir parameter is set to C:\\ClusterStorage\\Volume01\\AksHci",
        ),
    ),
    why="On a cluster with several nodes each of them must see images, working files and the configuration of the cloud agent, which moves between them. Set-AksHciConfig therefore refuses a folder on the disk of one node, and without -workingDir it takes such a folder.",
    remedy=(
        Step(
            "See where the volumes of the cluster are.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterSharedVolume | Select-Object Name,@{n='Path';e={$_.SharedVolumeInfo.FriendlyVolumeName}}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give -imageDir, -workingDir and -cloudConfigLocation, each below C:\\ClusterStorage or on a share.",
            run=(
                "powershell",
                "-Command",
                "Set-AksHciConfig -imageDir <path> -workingDir <path> -cloudConfigLocation <path>",
            ),
            risk=Risk.SAFE,
            verify="Get-AksHciConfig shows the folders",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/reference/ps/set-akshciconfig",),
    ask="powershell -Command Get-ClusterSharedVolume",
    leads_to=("hybrid.akshci_failed",),
)
