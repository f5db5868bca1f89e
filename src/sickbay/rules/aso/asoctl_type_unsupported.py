from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="asoctl cannot import a resource: no kind for this Azure type, no full ARM id, or an asoctl that is too old",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"unable to determine GVK of resource|unable to find (?:GroupKind|GVK|any ASO type|group ?kind) (?:for type |that supports importing )?(?P<type>[\w./]+)?|expected \S+ to identify an importable ARM object|(?:asoctl|import).{0,200}?(?:parsing|invalid) resource ID|is not an importable ARM resource|importing [\w.]+\.azure\.com/\w+:? .{0,40}?unable to list resources of type (?P<child>[\w./]+)",
            says="there is no ASO kind for this type",
            sample="unable to determine GVK of resource: unable to find GroupKind for type Microsoft.Web/staticSites",
            near_miss="imported 12 resources",
        ),
    ),
    why="asoctl import azure-resource looks the ARM type up among the kinds that this release of asoctl knows. A type that ASO does not support cannot be imported, an older asoctl lacks newer ones or lists children that a resource cannot have (unable to list resources of type), and an id that is cut off or quoted wrongly cannot be parsed.",
    remedy=(
        Step(
            "See the supported kinds of the release, and take the newest asoctl.",
            run=("asoctl", "version"),
            risk=Risk.READ,
        ),
        Step(
            "Give the full resource id; leave unsupported types to another tool, or ask for them in a GitHub issue.",
            verify="asoctl import azure-resource <id> -o out.yaml writes the YAML",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/tools/asoctl/",
        "https://azure.github.io/azure-service-operator/reference/",
    ),
    leads_to=("aso.request_refused",),
    ask="asoctl version",
)
