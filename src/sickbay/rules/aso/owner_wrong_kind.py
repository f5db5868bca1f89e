from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The owner of an ASO object is of the wrong kind or level (armId of another type, wrong provider)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"expected owner ARM ID to be (?:for (?:a resource group|type)|from provider)[^,]{0,120}?, but was \"?(?P<owner>[\w./-]+)|owner was not type (?P<wanted>\w+), instead: (?P<real>\S+)|could not create fully qualified ARM ID, had \d+ azureNames and \d+ resourceTypes|not rooted (?:by a resource group|in a subscription): (?P<root>\S+)",
            says="the owner[ {owner}] is not of the kind that this type belongs to",
            sample='expected owner ARM ID to be for a resource group, but was "Microsoft.Compute/virtualMachines"',
            near_miss="the owner ARM ID is of a resource group",
        ),
        Signature(
            pattern=r"\.azure\.com\"? denied the request.{0,300}?\bowner\b.{0,120}?(?:must be|should be|expected|is not|cannot be) (?:a|an|of|for|type|kind) ",
            says="the owner does not fit",
            sample='admission webhook "validate.v1api.flexibleserversdatabases.dbforpostgresql.azure.com" denied the request: owner must be of kind FlexibleServer',
            near_miss='admission webhook "validate.v1api.flexibleserversdatabases.dbforpostgresql.azure.com" allowed the request',
            weight=TYPICAL,
        ),
    ),
    why="Each ASO type belongs to exactly one kind of owner: a storage account to a resource group, a database to its server, a subnet to its virtual network. spec.owner names another kind, or its armId points to a resource of another type or provider, so no valid resource id can be built. Role assignments and other extension resources take any owner, but need group, kind and name.",
    remedy=(
        Step(
            "See which owner the type wants.",
            run=("kubectl", "explain", "<kind>.spec.owner"),
            risk=Risk.READ,
        ),
        Step(
            "Name the right owner in spec.owner (the direct parent, not the resource group of a child). The owner cannot be changed afterwards: delete the object and create it anew.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/ownership/",),
    leads_to=("kubernetes.webhook_denied", "aso.not_ready"),
    ask="kubectl get azure -n {namespace} -o yaml",
)
