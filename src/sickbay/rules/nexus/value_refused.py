from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Nexus refuses a request: a value of the network cloud or fabric resource is not valid",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)(?:BadRequest|Invalid(?:Request|Input|Parameter|Property|Argument)\w*|ValidationError|ValidationFailed|\(Conflict\)|Error:|ERROR|failed|denied|rejected|refused).{0,160}?\b(?:Microsoft\.(?:NetworkCloud|ManagedNetworkFabric)|az network(?:cloud|fabric)|access ?control ?lists?|route ?polic(?:y|ies)|ip ?prefix(?:es)?|ip ?(?:extended ?)?communit(?:y|ies)|isolation ?-?domains?|internal ?networks?|external ?networks?|network ?to ?network ?interconnects?|agentPools|upgradeSettings|neighbou?r ?groups?|network ?taps?|network ?fabrics?|network ?packet ?brokers?|bare ?metal ?machines?|cloud ?services ?networks?|trunked ?networks?|l[23] ?networks?|rackDefinitions?|administratorConfiguration|vmSkuName|networkAttachments?|agentPoolConfiguration\w*|initialAgentPoolConfigurations?|cluster ?managers?)\w*\b.{0,200}?(?P<problem>(?:is|are|was|were) (?:not (?:valid|allowed|supported|permitted|unique|compatible)|invalid|duplicated?|unsupported|out of range|too (?:long|large|many|small|short)|malformed)|Invalid value|overlaps with|exceeds (?:the )?max\w*|cannot (?:both )?be (?:\d|updated|changed|modified)|validation failed|is immutable|must (?:be|match|have|not|contain|specify)|should (?:be|match|have|not)|cannot (?:be|have|contain|exceed)|exceeds?|duplicate|(?:is|are) (?:missing|required))|\b(?:Microsoft\.(?:NetworkCloud|ManagedNetworkFabric)|az network(?:cloud|fabric)|access ?control ?lists?|route ?polic(?:y|ies)|ip ?prefix(?:es)?|ip ?(?:extended ?)?communit(?:y|ies)|isolation ?-?domains?|internal ?networks?|external ?networks?|network ?to ?network ?interconnects?|NNI|agentPools|upgradeSettings|neighbou?r ?groups?|network ?taps?|network ?fabrics?|network ?packet ?brokers?|bare ?metal ?machines?|cloud ?services ?networks?|trunked ?networks?|l[23] ?networks?|rackDefinitions?|administratorConfiguration|vmSkuName|networkAttachments?|agentPoolConfiguration\w*|initialAgentPoolConfigurations?|cluster ?managers?)\w*\b.{0,120}?(?:failed|denied|rejected|refused)\b.{0,160}?(?P<after>(?:is|are|was|were) (?:not (?:valid|allowed|supported|permitted|unique|compatible)|invalid|duplicated?|unsupported|out of range|too (?:long|large|many|small|short)|malformed)|Invalid value|overlaps with|exceeds (?:the )?max\w*|cannot (?:both )?be (?:\d|updated|changed|modified)|validation failed|is immutable|must (?:be|match|have|not|contain|specify)|should (?:be|match|have|not)|cannot (?:be|have|contain|exceed)|exceeds?|duplicate|(?:is|are) (?:missing|required))|\b(?:Microsoft\.(?:NetworkCloud|ManagedNetworkFabric)|az network(?:cloud|fabric)|access ?control ?lists?|route ?polic(?:y|ies)|ip ?prefix(?:es)?|ip ?(?:extended ?)?communit(?:y|ies)|isolation ?-?domains?|internal ?networks?|external ?networks?|network ?to ?network ?interconnects?|NNI|agentPools|upgradeSettings|neighbou?r ?groups?|network ?taps?|network ?fabrics?|network ?packet ?brokers?|bare ?metal ?machines?|cloud ?services ?networks?|trunked ?networks?|l[23] ?networks?|rackDefinitions?|administratorConfiguration|vmSkuName|networkAttachments?|agentPoolConfiguration\w*|initialAgentPoolConfigurations?|cluster ?managers?)\w*\b.{0,160}?(?P<hard>(?:is|are|was|were) (?:not (?:valid|allowed|supported|permitted|unique|compatible)|invalid|duplicated?|unsupported|out of range|too (?:long|large|many|small|short)|malformed)|Invalid value|overlaps with|exceeds (?:the )?max\w*|cannot (?:both )?be (?:\d|updated|changed|modified)|validation failed|is immutable)",
            says="a value is refused",
            sample="BadRequest: Access control list acl-oam match configuration mc1 sequence number 1234 is duplicated",
            near_miss="Access control list acl-oam match configuration mc1 sequence number 1234 is set",
            unless=r"(?i)Microsoft\.Network/|managedClusters|virtualNetworks|\bdocs?\b.{0,40}?says|service mesh|AuthorizationFailed|ScopeLocked|registered|disabled state|not enabled",
            weight=TYPICAL,
        ),
    ),
    why="The network fabric and the network cloud check each resource - access control list, route policy, prefix, interconnect, network, machine or cluster - against its schema and its neighbours before they take it. The message names the property; nothing was changed.",
    remedy=(
        Step(
            "Read the whole error of the last operation.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "-g",
                "{resource_group}",
                "--status",
                "Failed",
                "--offset",
                "1d",
                "--query",
                "[].properties.statusMessage",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the property that it names and send the request again.",
            risk=Risk.SAFE,
            verify="the resource wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/reference-acl-configuration",
        "https://learn.microsoft.com/azure/operator-nexus/concepts-resource-types",
    ),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 1d",
    vague=True,
)
