from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A BGP session of the network fabric is not established",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"\b(?P<peer>\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|[0-9a-f]{1,4}:[0-9a-f:]+) +4 +(?P<asn>\d[\d.]*) +\d+ +\d+ +\d+ +\d+ +(?:\S+ +)?(?P<state>Idle(?:\(\w+\))?|Active|Connect|OpenSent|OpenConfirm)\b",
            says="the session with {peer} (ASN {asn}) is {state}",
            sample="10.30.0.2 4 65501 0 0 0 0 2d03h Active",
            near_miss="10.30.0.2 4 65501 4711 4699 0 0 2d03h Estab 12 12",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\bBGP (?:peer|neighbou?r|session)s?\b.{0,80}?(?P<peer>\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|[0-9a-f]{1,4}:[0-9a-f:]+)?.{0,40}?(?:(?:is|are) not (?:in )?established|state (?:is )?(?P<state>idle|active|connect)\b)(?P<asn>)",
            says="a BGP session is not established",
            sample="Pre-upgrade check failed: BGP session with 10.30.0.2 is not in Established state.",
            near_miss="Pre-upgrade check passed: BGP session with 10.30.0.2 is in Established state.",
            weight=TYPICAL,
        ),
    ),
    why="The customer edge of the fabric and the provider edge exchange routes over BGP. A session in Idle, Active or Connect brings none: the link or interconnect is down, addresses or ASN do not fit, or the peer is not configured. Sites lose their way to Azure, and an upgrade must not start.",
    remedy=(
        Step(
            "See the sessions of all VRFs on the edge device.",
            run=(
                "az",
                "networkfabric",
                "device",
                "run-ro",
                "-g",
                "{resource_group}",
                "--resource-name",
                "<device>",
                "--ro-command",
                "show ip bgp summary vrf all",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Compare address, ASN and VLAN of the peer with those of the interconnect.",
            run=(
                "az",
                "networkfabric",
                "nni",
                "list",
                "-g",
                "{resource_group}",
                "--fabric-name",
                "<fabric>",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Repair the peering between customer and provider edge.",
            risk=Risk.DISRUPTIVE,
            verify="the summary wants Estab for every neighbour",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-upgrade-nexus-fabric",),
    leads_to=("nexus.cluster_disconnected", "nexus.fabric_upgrade_blocked"),
    ask='az networkfabric device run-ro -g {resource_group} --resource-name <device> --ro-command "show ip bgp summary vrf all"',
)
