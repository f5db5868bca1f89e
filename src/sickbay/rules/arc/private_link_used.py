from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The appliance's network resolves Arc endpoints to private link, which a resource bridge does not support",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:appliance|resource bridge|GuestInternetConnectivityError|Not able to connect to).{0,300}?\.(?:azure\.com|azure\.net|microsoft\.com|windows\.net|azurecr\.io|microsoftonline\.com)\b.{0,200}?dial tcp (?P<address>10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+):443:? (?:i/o timeout|connect|connectex)",
            says="an endpoint of Azure has the private address {address}",
            sample='GuestInternetConnectivityError: Not able to connect to https://gbl.his.arc.azure.com. Error returned: action failed after 5 attempts: Get "https://gbl.his.arc.azure.com": dial tcp 10.20.0.9:443: i/o timeout',
            near_miss="GuestInternetConnectivityError: Not able to connect to https://gbl.his.arc.azure.com. Error returned: dial tcp 20.42.65.88:443: i/o timeout",
            weight=TYPICAL,
            unless=r"(?i)proxyconnect|vsphere sdk|/sdk|vmdk|:55000|:65000",
        ),
        Signature(
            pattern=r"(?i)private ?link .{0,80}?(?:is not|isn't|not) supported .{0,80}?(?:resource bridge|appliance)|(?:resource bridge|appliance) .{0,80}?(?:does not|doesn't) support .{0,40}?private ?link(?P<address>)",
            says="private link is not supported by the bridge",
            sample="Private Link is not supported for Azure Arc resource bridge",
            near_miss="Private Link is supported for Azure Arc-enabled servers",
            weight=TYPICAL,
        ),
    ),
    why="A resource bridge does not support private link. Where the DNS servers of its network answer Arc's names (his.arc.azure.com, guestconfiguration, kubernetesconfiguration) with addresses of private endpoints, its calls go into a network that does not serve them.",
    remedy=(
        Step(
            "Ask the DNS server of the appliance: the address must be public.",
            run=(
                "nslookup",
                "gbl.his.arc.azure.com",
                "<dns-server>",
            ),
            risk=Risk.READ,
            verify="the answer wants a public address",
        ),
        Step(
            "Deploy the bridge in a segment whose DNS servers do not have the private link zones.",
        ),
        Step(
            "Delete what the failed attempt left, correct the configuration files, and deploy again.",
            run=(
                "az",
                "arcappliance",
                "delete",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="az arcappliance show -g {resource_group} -n {name} --query status wants Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=(
        "arc.kva_timeout",
        "arc.url_unreachable",
        "arc.appliance_offline",
    ),
    ask="nslookup gbl.his.arc.azure.com <dns-server>",
)
