from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The node image of AKS on Azure Local is missing from the gallery",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Type\[GalleryImage\].{0,120}?Name\[(?P<image>(?:linux|windows|akshci|sfs)[\w.-]+)\].{0,20}?Not Found|(?:Cluster|Nodepool)PrecheckFailed.{0,400}?GalleryImage",
            says="the gallery image {image} is not there",
            sample="(ClusterPrecheckFailed) Error: Aks Arc cluster creation precheck failed. Detailed message: 1 error occurred: * rpc error: code = NotFound desc = Type[GalleryImage], Location[MocLocation], Name[linux-cblmariner-0.11.26.10605]: Not Found",
            near_miss="Type[GalleryImage], Location[MocLocation], Name[linux-cblmariner-0.11.26.10605]: Available",
        ),
    ),
    why="The precheck looks for the VHD of the node pool among the gallery images of MOC. It was deleted, its download failed, or the storage path that held it is gone or full.",
    remedy=(
        Step(
            "See the images.",
            run=(
                "powershell",
                "Get-MocGalleryImage",
                "-location",
                "MocLocation",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the version's image entry so that it is downloaded again, and see that the storage path has space.",
        ),
        Step(
            "Create the cluster again.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-troubleshoot",),
    leads_to=(
        "aks.deployment_failed",
        "aks.operation_failed",
    ),
    ask="powershell Get-MocGalleryImage -location MocLocation",
)
