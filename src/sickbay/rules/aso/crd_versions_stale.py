from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="CRDs of ASO still hold a stored version that the new release has removed (storedVersions)",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.CREATION),
    detect=(
        Signature(
            pattern=r"\b(?P<crd>[\w-]+\.[\w.-]*azure\.com)\W{1,4}(?:is invalid: )?status\.storedVersions\[\d+\]: Invalid value: \W{0,3}(?P<version>v[\w-]+)",
            says="the CRD {crd} still lists {version} as stored, and the new release has no such version",
            sample='"failed to apply CRDs" err="failed to apply CRD workspaces.monitor.azure.com: CustomResourceDefinition.apiextensions.k8s.io \\"workspaces.monitor.azure.com\\" is invalid: status.storedVersions[0]: Invalid value: \\"v1beta20210501storage\\": must appear in spec.versions"',
            near_miss='CustomResourceDefinition.apiextensions.k8s.io "workspaces.monitor.azure.com" configured: status.storedVersions [v1api20230403storage]',
        ),
        Signature(
            # The name of the CRD is lost where the line was broken; only ASO names versions so.
            pattern=r"\binvalid: status\.storedVersions\[\d+\]: Invalid value: \W{0,3}(?P<version>v\w{1,10}20\d{6}\w{0,20}storage)\b(?P<crd>)",
            says="a CRD of ASO still lists {version} as stored, and the new release has no such version",
            sample='invalid: status.storedVersions[0]: Invalid value: "v1beta20210501storage": must appear in spec.versions',
            near_miss='invalid: status.storedVersions[0]: Invalid value: "v1alpha1": must appear in spec.versions',
        ),
        Signature(
            pattern=r"request to convert CR from an invalid group/version: (?P<crd>[\w.-]+\.azure\.com)/(?P<version>v[\w-]+)",
            says="objects of {crd} are stored in the version {version}, which the CRD no longer has",
            sample="Error from server: request to convert CR from an invalid group/version: storage.azure.com/v1beta20210401storage",
            near_miss="request to convert CR from storage.azure.com/v1api20210401storage succeeded",
        ),
        Signature(
            pattern=r"no kind \W{0,3}\w+\W{0,3} is registered for version \W{0,3}(?P<crd>[\w.-]+\.azure\.com)/(?P<version>v[\w-]+)",
            says="an object of {crd} remembers the version {version}, which this controller does not know",
            sample='unable to create new storage.azure.com/v1alpha1api20210401, Kind=StorageAccount: no kind "StorageAccount" is registered for version "storage.azure.com/v1alpha1api20210401" in scheme',
            near_miss='kind "StorageAccount" is registered for version "storage.azure.com/v1api20210401"',
        ),
    ),
    why="A CRD remembers in status.storedVersions every version in which objects were ever saved. ASO drops old versions (alpha, beta, retired previews) with a release; as long as one of them is stored, the API server refuses the new CRD, and the controller does not start or cannot read the object. The same is seen when an older ASO, as the one inside Cluster API (CAPZ), meets CRDs of a newer one.",
    remedy=(
        Step(
            "See which versions are stored.",
            run=(
                "kubectl",
                "get",
                "crd",
                "-o",
                "custom-columns=NAME:.metadata.name,STORED:.status.storedVersions",
                "-l",
                "app.kubernetes.io/name=azure-service-operator",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make sure that only one ASO manages these CRDs, and that no release is skipped which its notes call breaking.",
        ),
        Step(
            "With the old ASO still installed, let asoctl migrate the objects and clear the old versions, then upgrade again.",
            run=("asoctl", "clean", "crds"),
            risk=Risk.DISRUPTIVE,
            verify="the controller logs no failed to apply CRDs",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/tools/asoctl/",
        "https://azure.github.io/azure-service-operator/guide/breaking-changes/",
    ),
    leads_to=("aso.crds_not_applied", "aso.not_ready", "kubernetes.object_invalid"),
    ask="kubectl get crd -o custom-columns=NAME:.metadata.name,STORED:.status.storedVersions",
)
