from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

_REFUSAL = (
    r"BadRequest|Invalid(?:Request|Input|Parameter|Property|Argument)\w*|ValidationError"
    r"|ValidationFailed|\(Conflict\)|Error:|ERROR|failed|denied|rejected|refused"
)
# Words that only Nexus uses; general ones (an ACL, a prefix, a network) need a word of the fabric beside them.
_WHAT = (
    r"Microsoft\.(?:NetworkCloud|ManagedNetworkFabric)|az network(?:cloud|fabric)"
    r"|access ?control ?lists? [\w'-]{1,60} (?:match|statement|action|dynamic)|accessControlLists"
    r"|route ?polic(?:y|ies)|ip ?prefix(?:es)? [\w'-]{1,60} (?:rule|sequence)|ipPrefix(?:es|Rules)?"
    r"|ip ?(?:extended ?)?communit(?:y|ies)|isolation ?-?domains?|(?:internal|external)Networks?"
    r"|(?:internal|external) networks?\b.{0,80}?(?:vlan|bgp|asn|isolation|prefix|mtu|peer)"
    r"|network ?to ?network ?interconnects?|neighbou?r ?groups?|network ?taps?|network ?fabrics?"
    r"|network ?packet ?brokers?|bare ?metal ?machines?|cloud ?services ?networks?|trunked ?networks?"
    r"|l[23] ?networks?|rackDefinitions?|administratorConfiguration|vmSkuName|networkAttachments?"
    r"|agentPools/[\w-]{1,40}|agentPoolConfiguration\w*|initialAgentPoolConfigurations?|clusterManagers?"
)
_CLEAR = (
    r"(?:is|are|was|were) (?:not (?:valid|allowed|supported|permitted|unique|compatible)|invalid"
    r"|duplicated?|unsupported|out of range|too (?:long|large|many|small|short)|malformed)"
    r"|Invalid value|overlaps with|exceeds (?:the )?max\w*|cannot (?:both )?be (?:\d|updated|changed|modified)"
    r"|validation failed|is immutable"
)
_LOOSE = (
    r"must (?:be|match|have|not|contain|specify)|should (?:be|match|have|not)"
    r"|cannot (?:be|have|contain|exceed)|exceeds?|duplicate|(?:is|are) (?:missing|required)"
)

RULE = Rule(
    title="Nexus refuses a request: a value of the network cloud or fabric resource is not valid",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=rf"(?i)(?:{_REFUSAL}).{{0,160}}?\b(?:{_WHAT})\w*\b.{{0,200}}?(?P<problem>{_CLEAR}|{_LOOSE})|\b(?:{_WHAT})\w*\b.{{0,120}}?(?:failed|denied|rejected|refused)\b.{{0,160}}?(?P<after>{_CLEAR}|{_LOOSE})|\b(?:{_WHAT})\w*\b.{{0,160}}?(?P<hard>{_CLEAR})",
            says="a value is refused",
            sample="BadRequest: Access control list acl-oam match configuration mc1 sequence number 1234 is duplicated",
            near_miss="Access control list acl-oam match configuration mc1 sequence number 1234 is set",
            unless=r"(?i)Microsoft\.Network/|managedClusters|virtualNetworks|\bdocs?\b.{0,40}?says|service mesh|AuthorizationFailed|ScopeLocked|registered|disabled state|not enabled",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"\bNNI\b.{0,80}?(?P<field>\w*Ipv[46]Prefix|peerASN|fabricASN|vlanId)\b.{0,120}?(?:overlap|invalid|not valid|must |mismatch|outside)",
            says="{field} of a network-to-network interconnect does not fit",
            sample="(BadRequest) NNI nni2: primaryIpv4Prefix 172.31.0.0/30 overlaps with secondaryIpv4Prefix 172.31.0.0/30",
            near_miss="NNI nni2: primaryIpv4Prefix 172.31.0.0/30 was set",
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
