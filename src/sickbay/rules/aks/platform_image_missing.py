from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The image of the virtual machine is not offered here (PlatformImageNotFound)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        Signature(
            pattern=r"\b(?:PlatformImageNotFound|GalleryImageNotFound|ImageNotFound(?:InGallery)?)\b(?:.{0,60}?image '(?P<image>[^']{3,200})')?|The platform image '(?P<other>[^']{3,200})' is not available",
            says="the image is not available",
            sample='Code="PlatformImageNotFound" Message="The platform image \'contoso:k8s:ubuntu:latest\' is not available. Verify that all fields in the storage profile are correct."',
            near_miss="The platform image 'contoso:k8s:ubuntu:latest' is available",
        ),
    ),
    why="Compute found no image with this publisher, offer, SKU and version in this region: it was mistyped, withdrawn by its publisher, or never published there. A node image that AKS has withdrawn shows the same for a pool that has not been upgraded for long.",
    remedy=(
        Step(
            "See which versions of the image there are in the region.",
            run=(
                "az",
                "vm",
                "image",
                "list",
                "--location",
                "<location>",
                "--publisher",
                "<publisher>",
                "--all",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Name one of them; for a pool of AKS, upgrade its node image.",
            run=(
                "az",
                "aks",
                "nodepool",
                "upgrade",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
                "--node-image-only",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/virtual-machines/error-codes-compute",
        "https://learn.microsoft.com/azure/aks/node-image-upgrade",
    ),
    leads_to=("aks.operation_failed", "aks.scale_up_failed"),
    ask="az aks nodepool show -g {resource_group} --cluster-name {cluster} -n <pool> -o json",
)
