from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The request for a custom location is incomplete: extendedLocation has no type or name",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Required property '(?P<property>type|name)' not found in JSON\. Path 'extendedLocation'|extendedLocation\W{1,4}(?P<second>type|name)\b.{0,60}?(?:is required|is missing|must be specified)",
            says="extendedLocation lacks a property[: {property}]",
            sample="The request content was invalid and could not be deserialized: 'Required property 'type' not found in JSON. Path 'extendedLocation', line 1, position 309.'.",
            near_miss="extendedLocation: type CustomLocation, name /subscriptions/1/resourceGroups/rg/providers/Microsoft.ExtendedLocation/customLocations/cl1",
        ),
    ),
    why="A resource that runs on an Arc cluster names its place in extendedLocation, with both the id of the custom location (name) and the type CustomLocation. Templates and older tools leave the type out, and Azure Resource Manager refuses the body before any service sees it.",
    remedy=(
        Step(
            "See the id of the custom location.",
            run=("az", "customlocation", "list", "--query", "[].id", "-o", "tsv"),
            risk=Risk.READ,
        ),
        Step(
            "Give extendedLocation both the name (that id) and the type CustomLocation, or update the tool that makes the request and create the resource with the Azure CLI.",
            run=("az", "upgrade"),
            risk=Risk.SAFE,
            verify="the resource is created with provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/custom-locations",
        "https://learn.microsoft.com/azure/app-service/manage-create-arc-environment",
    ),
    leads_to=("aks.parameter_invalid",),
    ask="az customlocation list -o table",
)
