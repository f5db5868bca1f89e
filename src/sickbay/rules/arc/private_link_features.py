from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A connected cluster with private link cannot have cluster connect or custom locations",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)features? .{0,80}?cannot be enabled for a private link enabled connected cluster|private ?link .{0,60}?(?:cluster-connect|custom-locations).{0,60}?not supported",
            says="the features are refused because of private link",
            sample="ERROR: The features 'cluster-connect' and 'custom-locations' cannot be enabled for a private link enabled connected cluster.",
            near_miss="The features 'cluster-connect' and 'custom-locations' were enabled for the connected cluster.",
        ),
    ),
    why="Cluster connect and custom locations use endpoints that a private link scope does not offer, so they are refused on a cluster that was connected with one. Services that need a custom location (IoT Operations, App Service, data services) cannot be put on it.",
    remedy=(
        Step(
            "See whether private link is on.",
            run=(
                "az",
                "connectedk8s",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "privateLinkState",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Turn it off, and enable the features.",
            run=(
                "az",
                "connectedk8s",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-private-link",
                "false",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Enable the features.",
            run=(
                "az",
                "connectedk8s",
                "enable-features",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--features",
                "cluster-connect",
                "custom-locations",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/private-link",),
    leads_to=("arc.custom_locations_disabled",),
    ask="az connectedk8s show -g {resource_group} -n {cluster} --query privateLinkState",
)
