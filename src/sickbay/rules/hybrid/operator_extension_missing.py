from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The AKS Arc operator extension (hybridaksextension) is missing or unhealthy on the Arc resource bridge",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:hybridaks(?:-?extension|-operator)|hybrid ?aks extension|Microsoft\.HybridAKSOperator)\b.{0,120}?(?:not installed|missing|not found|failed|unhealthy|(?:does not|doesn't) exist|is not (?:running|ready|enabled))",
            says="the operator extension is not there",
            sample="hybridaksextension is not installed on the Arc resource bridge",
            near_miss="hybridaksextension 4.0.92 is installed on the Arc resource bridge",
            weight=TYPICAL,
        ),
    ),
    why="Clusters on Azure Local are made by an operator that runs as the extension hybridaksextension on the resource bridge and is enabled for the custom location. Without it, or with one that failed, requests for clusters are not understood or never end.",
    remedy=(
        Step(
            "See the extensions of the bridge.",
            run=(
                "az",
                "k8s-extension",
                "list",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "<appliance>",
                "--cluster-type",
                "appliances",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Update Azure Local to a supported release, which installs it, or create the extension again with support; then see that the custom location lists it.",
            risk=Risk.DISRUPTIVE,
            verify="the list wants hybridaksextension Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-troubleshoot",),
    ask="az k8s-extension list --cluster-type appliances",
)
