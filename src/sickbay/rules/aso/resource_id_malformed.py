from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A resource id in the request is no complete ARM id: it is empty, cut off, misspelt or of another type",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?i:Property id '(?P<id>[^']{0,300})' ?at path '(?P<property>[^']{1,200})' is invalid)|\bLinkedInvalidPropertyId\b|(?i:Expect(?:ed)? fully[- ]qualified resource Id that start)",
            says="the id[ at {property}] is not a complete one[: {id}]",
            sample="LinkedInvalidPropertyId: Property id 'subnet1' at path 'properties.agentPoolProfiles[0].vnetSubnetID' is invalid. Expect fully qualified resource Id that start with '/subscriptions/{subscriptionId}' or '/providers/{resourceProviderNamespace}/'.",
            near_miss="Property id at path 'properties.agentPoolProfiles[0].vnetSubnetID' is valid",
            unless=r"(?i)is not authorized to access linked",
        ),
        Signature(
            pattern=r"(?i:parsing \"(?P<text>[^\"]{0,300})\" as an? [\w ]{1,60} ID\b)|(?i:parsing the [\w ]{1,60} ID: (?:the segment|the number of segments))|(?i:parsing segment \"\w+\".{0,160}?expected the segment)|(?i:ID was missing the [`'\"]?(?P<segment>\w+)[`'\"]? element)|(?i:invalid resource ID: (?:resource )?id '?(?P<other>[^' ]{0,300})'? (?:must start with|cannot be empty))",
            says="an id does not parse[: {text}][ ({segment} is missing)][: {other}]",
            sample='Error: parsing "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v" as a Subnet ID: parsing the Subnet ID: the number of segments didn\'t match',
            near_miss="the Subnet ID /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/n was parsed",
            weight=TYPICAL,
        ),
    ),
    why="Where a request names another resource it must give its whole id, from /subscriptions/ to the name, with the segments of that type. A variable or output that is empty yet, a bare name, an id of another type, a segment in other spelling (resourcegroups) or a stray character breaks it, and nothing is looked up.",
    remedy=(
        Step(
            "Read the id of the resource that is meant, and compare it letter by letter.",
            run=("az", "resource", "list", "-g", "<group>", "--query", "[].id", "-o", "tsv"),
            risk=Risk.READ,
        ),
        Step(
            "Hand that id over where the message points, or leave the property out if nothing is meant; in a template let a variable that may be empty be null.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/templates/template-functions-resource",
    ),
    leads_to=("aks.operation_failed", "aso.request_refused"),
    ask="az resource list -g <group> --query [].id -o tsv",
)
