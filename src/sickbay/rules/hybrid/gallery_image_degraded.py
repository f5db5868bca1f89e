from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The node image of AKS on Azure Local is not usable: the gallery image is degraded",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?i)Gallery ?Image\b.{0,80}?(?:(?:is )?not usable|health ?state\W{1,4}degraded|is degraded)",
            says="the gallery image is there, but degraded",
            sample="(NodepoolPrecheckFailed) nodepool precheck failed: GalleryImage not usable, health state degraded",
            near_miss="nodepool precheck passed: GalleryImage usable, health state OK",
        ),
    ),
    why="The VHD of the Kubernetes version is in the gallery of MOC, but its health state is degraded: a replacement of it on one of the hosts did not finish. Prechecks of clusters and node pools (NodepoolPrecheckFailed) refuse such an image.",
    remedy=(
        Step(
            "See the readiness of the versions and the error of the image.",
            run=("az", "aksarc", "get-versions", "--custom-location", "<custom-location-id>"),
            risk=Risk.READ,
        ),
        Step(
            "Update Azure Local to 2507 or later, which repairs the image; before that, choose a version whose image is ready.",
            risk=Risk.DISRUPTIVE,
            verify="az aksarc get-versions wants ready true for the version",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/gallery-image-not-usable",),
    leads_to=("arc.node_image_missing",),
    ask="az aksarc get-versions --custom-location <custom-location-id>",
)
