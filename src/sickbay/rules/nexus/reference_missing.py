from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Nexus resource refers to another resource of the fabric or site that does not exist",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)(?P<path>/subscriptions/\S{1,200}/providers/Microsoft\.(?:NetworkCloud|ManagedNetworkFabric)/[\w/.-]{3,200})\W{0,4} (?:was not found|not found|does not exist|doesn't exist|could not be found|cannot be found)|\b(?:references?|refers? to|referenced|referencing|associated|specified|given|parent)\b.{0,120}?(?P<resource>/subscriptions/\S{1,200}/providers/Microsoft\.(?:NetworkCloud|ManagedNetworkFabric)/[\w/.-]{3,200}|(?:ip ?communit(?:y|ies)|ip ?prefix(?:es)?|route ?polic(?:y|ies)|access ?control ?lists?|neighbou?r ?groups?|internal ?networks?|external ?networks?|network ?fabrics?|cloud ?services ?networks?|l[23] ?networks?|storage ?appliances?|racks?|cluster ?managers?) [\w.'\"-]{0,80})\S{0,10} .{0,60}?(?:was not found|not found|does not exist|doesn't exist|could not be found|cannot be found|is missing)",
            says="what it refers to does not exist",
            sample="RoutePolicy statement references ipCommunityId /subscriptions/1/resourceGroups/rg/providers/Microsoft.ManagedNetworkFabric/ipCommunities/ipc1 which was not found",
            near_miss="RoutePolicy statement references ipCommunityId /subscriptions/1/resourceGroups/rg/providers/Microsoft.ManagedNetworkFabric/ipCommunities/ipc1",
            weight=TYPICAL,
        ),
    ),
    why="Resources of the network fabric and network cloud name each other by id: route policy and community, network and isolation domain, tap and neighbor group, cluster and network. With an id that is wrong, in another subscription or already deleted, the request is refused.",
    remedy=(
        Step(
            "See whether the resource that the message names is there.",
            run=(
                "az",
                "resource",
                "show",
                "--ids",
                "{resource}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create it first, or give the id as `az ... show --query id -o tsv` prints it.",
            risk=Risk.SAFE,
            verify="the request is accepted",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/concepts-resource-types",),
    ask="az resource show --ids {resource}",
    vague=True,
)
