from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An extension of the Azure CLI on an Azure Local machine is not one that the update takes",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)Test-AzStackHciARBStack\b.{0,80}?Cannot convert value \W{1,2}(?P<version>[\w.+-]{1,40})\W{1,2} to type \W{1,2}System\.Version",
            says="an extension has the version {version}, which the check cannot read",
            sample='Exception occurred (Test-AzStackHciARBStack): Cannot convert value "1.0.0b1" to type "System.Version". Error: "Input string was not in a correct format."',
            near_miss="Test-AzStackHciARBStack: arcappliance 1.3.0",
        ),
        Signature(
            pattern=r"(?i)\bCloudContent\\AzCliExtensions\\(?P<extension>[\w-]{2,40})\\.{0,200}?SyntaxWarning: invalid escape sequence",
            says="the extension {extension} writes warnings where the update expects none",
            sample="C:\\CloudContent\\AzCliExtensions\\hybridaks\\azext_hybridaks\\vendored_sdks\\hybridaks\\models\\_models_py3.py:3800: SyntaxWarning: invalid escape sequence '\\W'",
            near_miss="C:\\CloudContent\\AzCliExtensions\\hybridaks loaded",
            weight=TYPICAL,
        ),
    ),
    why="The update of Azure Local drives the Azure CLI with a fixed set of extensions (arcappliance, k8s-extension, customlocation, stack-hci-vm). Another one, or a beta of it, has a version that the checks cannot compare, or prints warnings that they take for errors.",
    remedy=(
        Step(
            "See the extensions on every machine.",
            run=("az", "version"),
            risk=Risk.READ,
        ),
        Step(
            "Remove what the release does not list, then run the check again.",
            run=("az", "extension", "remove", "--name", "<extension>"),
            risk=Risk.SAFE,
            verify="az version lists only arcappliance, k8s-extension, customlocation and stack-hci-vm",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/update/update-troubleshooting-23h2",),
    leads_to=("hybrid.update_step_failed", "hybrid.update_readiness"),
    ask="az version",
)
