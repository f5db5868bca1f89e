from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The extension type is not available in the region of the cluster",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bExtensionTypeRegistrationGetFailed\b|(?i:Extension type (?P<type>[\w.]+) is not registered in region (?P<location>[\w<>]+))",
            says="the extension type is not offered in this region",
            sample="(ExtensionTypeRegistrationGetFailed) Extension type microsoft.dapr is not registered in region westus9.",
            near_miss="Extension type microsoft.dapr is registered in region westeurope",
        ),
    ),
    why="Extension types are offered by region (ExtensionTypeRegistrationGetFailed: not registered in region). A cluster in another region cannot have it.",
    remedy=(
        Step(
            "See what the region offers.",
            run=(
                "az",
                "k8s-extension",
                "extension-types",
                "list-by-location",
                "--location",
                "{location}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use a cluster in a region that has the type.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-dapr-extension-installation-errors",
    ),
    leads_to=("arc.extension_failed",),
    ask="az k8s-extension extension-types list-by-location --location {location}",
)
