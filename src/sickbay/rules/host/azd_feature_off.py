from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="azure.yaml uses a feature of azd that is off by default (alpha), for instance Helm or Kustomize on AKS",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?P<feature>\w+) support is not enabled\. Run '?azd config set (?P<setting>alpha\.[\w.]+) on|Run '?azd config set (?P<other>alpha\.[\w.]+) on'? to enable",
            says="{setting}{other} is off",
            sample="helm deployment failed: Helm support is not enabled. Run 'azd config set alpha.aks.helm on' to enable it.",
            near_miss="Helm support is enabled by alpha.aks.helm",
        ),
    ),
    why="Features under test work only after they are switched on in the configuration of azd on this machine. The template asks for one, a teammate or an agent has it on, and here it is off.",
    remedy=(
        Step(
            "Switch it on (`azd config set <setting> on`), and deploy again.",
            verify="azd config show wants the setting on",
        ),
        Step("On a build agent do so in a step before azd runs."),
    ),
    docs=("https://learn.microsoft.com/azure/developer/azure-developer-cli/feature-versioning",),
)
