from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Kubernetes version is not supported or not available on this Azure Local version",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Kubernetes version (?P<version>[\w.]+) is not (?:supported|available)(?:\. Please go to https://aka\.ms/aksarcsupportedversions|)",
            says="Kubernetes {version} is not offered here",
            sample="Kubernetes version 1.26.12 is not supported. Please go to https://aka.ms/aksarcsupportedversions for details about the supported Kubernetes version on this platform.",
            near_miss="Kubernetes version 1.29.4 is supported",
            weight=TYPICAL,
        ),
    ),
    why="Each release of Azure Local supports certain Kubernetes versions. One outside of them is refused: not supported, or not available.",
    remedy=(
        Step(
            "See the versions there are.",
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
            "Choose one of them, or update Azure Local.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/supported-kubernetes-versions",
        "https://learn.microsoft.com/azure/aks/aksarc/aks-troubleshoot",
    ),
    ask="az aksarc get-versions --custom-location <custom-location-id> -o table",
)
