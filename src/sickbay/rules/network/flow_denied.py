from sickbay.rulekit import (
    TYPICAL,
    Category,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
)

RULE = Rule(
    title="A network security group (NSG) rule or a route denies this flow (Network Watcher)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\"access\": ?\"Deny\".{0,200}?\"ruleName\": ?\"(?P<rule>[^\"]{1,200})\"|\"ruleName\": ?\"(?P<name>[^\"]{1,200})\".{0,120}?\"access\": ?\"Deny\"|\bDeny (?P<row>(?:UserRule_|DefaultRule_|(?:default)?[sS]ecurityRules/)[\w.-]+)|(?i:\"severity\": ?\"Error\", ?\"type\": ?\"(?P<issue>NetworkSecurityRule|UserDefinedRoute|GuestFirewall)\")|\"connectionStatus\": ?\"Unreachable\".{0,1000}?\"type\": ?\"(?P<kind>NetworkSecurityRule|UserDefinedRoute|GuestFirewall)\"|\"type\": ?\"(?P<type>NetworkSecurityRule|UserDefinedRoute)\".{0,1000}?\"connectionStatus\": ?\"Unreachable\"",
            says="Network Watcher shows that the flow is denied",
            sample='{"access": "Deny", "ruleName": "securityRules/DenyAllOutbound"}',
            near_miss='{"access": "Allow", "ruleName": "defaultSecurityRules/AllowVnetOutBound"}',
        ),
        Signature(
            pattern=r"(?i)(?:IP flow verify|access:?) .{0,40}?\bDen(?:y|ied)\b.{0,120}?\bruleName:? ?\"?(?P<rule>[\w./-]{3,200})|\bAccess denied\W{1,3}.{0,40}?Security rule\W{1,3}(?P<portal>[\w-]+)|(?:denied|blocked|dropped) by (?:security |NSG )?rule:? \"?'?(?P<name>[\w./-]*Deny\w*)",
            says="the flow is denied by {rule}",
            sample="IP flow verify: access Deny, ruleName: defaultSecurityRules/DenyAllInBound",
            near_miss="IP flow verify: access Allow, ruleName: defaultSecurityRules/AllowVnetInBound",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"show-next-hop\b.{0,300}?\"nextHopType\": ?\"None\"|\bNone /subscriptions/\S{1,200}/routeTables/|\"nextHopIpAddress\": ?(?:\"\"|null), ?\"nextHopType\": ?\"None\"",
            says="the route for the destination has the next hop None, which drops it",
            sample='az network watcher show-next-hop --dest-ip 20.1.2.3 { "nextHopIpAddress": "", "nextHopType": "None", "routeTableId": "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/routeTables/rt" }',
            near_miss='az network watcher show-next-hop --dest-ip 20.1.2.3 { "nextHopIpAddress": "", "nextHopType": "Internet", "routeTableId": "System Route" }',
            weight=TYPICAL,
        ),
        Signature(
            # Strangers knock from the internet all day: only who comes from within is missed.
            pattern=r"\b1\d{9,12},(?P<source>(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+),(?P<target>[\d.]+),\d+,(?P<port>\d+),(?:[TU6]|17),I,D\b",
            says="a flow from {source} to port {port} of {target} was denied",
            sample="1736935200,10.1.2.3,10.240.0.4,43210,443,T,I,D,B,,,,",
            near_miss="1736935200,203.0.113.9,10.240.0.4,43210,22,T,I,D,B,,,,",
            weight=TYPICAL,
            common=True,
        ),
        Signature(
            pattern=r"\b1\d{9,12},(?P<source>[\d.]+),(?P<target>[\d.]+),\d+,(?P<port>\d+),(?:[TU6]|17),O,D\b",
            says="an outbound flow to {target} was denied",
            sample="1736935200,10.240.0.4,20.190.160.1,43210,443,T,O,D,B,,,,",
            near_miss="1736935200,10.240.0.4,20.190.160.1,43210,443,T,O,A,B,,,,",
            weight=TYPICAL,
        ),
    ),
    why="Network Watcher has followed the flow through the effective rules and routes, and names the one that stops it.",
    remedy=(
        Step(
            "Look at the rule and its priority.",
            run=(
                "az",
                "network",
                "nic",
                "list-effective-nsg",
                "--ids",
                "<nic>",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the flow with a rule of higher priority, or change the route.",
            verify="the same test says Allow",
        ),
    ),
    leads_to=("network.connection_times_out",),
    docs=("https://learn.microsoft.com/azure/network-watcher/ip-flow-verify-overview",),
    ask="az network watcher test-ip-flow --help",
)
