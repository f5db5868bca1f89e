from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="azureName or owner of an ASO object was changed, which is not allowed after creation",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?:updating|removing) 'spec\.(?P<property>azureName|owner(?:\.\w+)?)' is not allowed for '?(?:[\w.-]+/[\w-]+, Kind=(?P<kind>\w+) : (?P<object>[\w.-]+))?|adding an owner to an already created resource is not allowed",
            says="spec.{property} of {kind} {object} cannot be changed",
            sample="admission webhook \"validate.v1api20230101.storageaccounts.storage.azure.com\" denied the request: updating 'spec.azureName' is not allowed for 'storage.azure.com/v1api20230101, Kind=StorageAccount : sa1",
            near_miss="updating 'spec.tags' for 'storage.azure.com/v1api20230101, Kind=StorageAccount : sa1",
        ),
    ),
    why="The ARM id of a resource is made of spec.azureName and spec.owner, and a resource cannot be renamed or moved in Azure. The ASO webhook therefore refuses to change, add or remove them once the resource exists.",
    remedy=(
        Step("Put the old value back in the manifest."),
        Step(
            "If the resource really must have another name or owner, create a new object, move the data, then delete the old one.",
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/frequently-asked-questions/",),
    leads_to=("kubernetes.webhook_denied",),
)
