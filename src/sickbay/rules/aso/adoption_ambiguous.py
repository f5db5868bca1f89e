from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="ASO cannot adopt an Entra object: several have the same display name",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"cannot adopt as multiple existing Entra (?P<what>[\w ]+?) found (?:with|by) (?P<by>[\w ]+?) (?P<name>[^\"]{1,120})",
            says="several Entra {what} are called {name}",
            sample="trying to adopt application shop: cannot adopt as multiple existing Entra applications found with display name payments",
            near_miss="Found existing Entra application to adopt",
        ),
    ),
    why="By default ASO adopts an existing application, group or service principal with the same display name before it creates one. Display names are not unique in Entra ID, and with more than one of them ASO does not guess.",
    remedy=(
        Step(
            "List those of that name.",
            run=(
                "az",
                "ad",
                "app",
                "list",
                "--display-name",
                "{name}",
                "--query",
                "[].{id:id,appId:appId,created:createdDateTime}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Rename or delete the ones that are not meant, or set operatorSpec.creationMode to AlwaysCreate so that nothing is adopted.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/reference/entra/",),
    leads_to=("aso.not_ready",),
    ask="az ad app list --display-name {name} -o table",
)
