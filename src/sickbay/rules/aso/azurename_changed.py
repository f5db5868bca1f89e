from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="azureName comes from a config map whose value changed after the resource was created",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r'cannot change AzureName for (?P<object>[\w./-]+): ConfigMap value changed from "(?P<old>[^"]{1,260})" to "(?P<new>[^"]{0,260})"',
            says="azureName of {object} changed from {old} to {new}",
            sample='cannot change AzureName for default/sa1: ConfigMap value changed from "sa1old" to "sa1new"',
            near_miss='AzureName for default/sa1 is taken from a ConfigMap value "sa1old"',
        ),
    ),
    why="The name of a resource in Azure is part of its id and cannot change. The config map that provides azureName has another value now, and ASO refuses to rename.",
    remedy=(
        Step(
            "Set the value in the config map back to {old}.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
        Step("For a resource of the name {new}, create a new object."),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/configmaps/",),
    leads_to=("aso.not_ready",),
    ask="kubectl get configmaps -n {namespace} -o yaml",
)
