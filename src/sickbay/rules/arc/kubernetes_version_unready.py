from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Kubernetes version is not ready on Azure Local: its VHD image is still being downloaded, or failed",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Kubernetes version (?P<version>[\w.]+) (?:is not|isn.t) ready for use",
            says="Kubernetes {version} is not ready for use",
            sample="Kubernetes version 1.27.7 is not ready for use on Linux. Please go to https://aka.ms/aksarccheckk8sversions for details of how to check the readiness of Kubernetes versions",
            near_miss="Kubernetes version 1.27.7 is ready for use on Linux",
        ),
    ),
    why="AKS enabled by Arc downloads a VHD image for each Kubernetes version and OS to the storage paths first. Until the download is finished a version is not ready for use, and K8sVersionValidation refuses it.",
    remedy=(
        Step(
            "See which versions are ready.",
            run=(
                "az",
                "aksarc",
                "get-versions",
                "--custom-location",
                "<custom-location-id>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait for the download or choose a version that is ready; look at the storage path when it does not end.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/aks-whats-new-23h2",
        "https://learn.microsoft.com/azure/aks/aksarc/aks-troubleshoot",
    ),
)
