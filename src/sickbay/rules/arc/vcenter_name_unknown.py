from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The management machine cannot resolve the name of vCenter",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)vsphere sdk client:? .{0,200}?lookup (?P<vcenter>[\w.-]+):? (?:on \S+ )?(?:no such host|server misbehaving|Temporary failure in name resolution)|https?://(?P<address>[\w.-]+)/sdk\W{0,3}: dial tcp: lookup \S{1,200}:? (?:on \S+ )?no such host",
            says="vCenter's name is not resolved on this machine",
            sample='CreateConfigKvaCustomerError: error getting the vsphere sdk client: Post "https://vcenter.contoso.com/sdk": dial tcp: lookup vcenter.contoso.com: no such host',
            near_miss='error getting the vsphere sdk client: Post "https://vcenter.contoso.com/sdk": dial tcp 10.0.0.5:443: i/o timeout',
            unless=r"(?i)lookup [\w.-]+\.local\b|on 127\.0\.0\.53:53",
        ),
    ),
    why="createconfig, validate and prepare talk to vCenter from the management machine. Its DNS servers do not know the name that was given (lookup: no such host in `error getting the vsphere sdk client`).",
    remedy=(
        Step(
            "Ask the DNS server of this machine for vCenter.",
            run=(
                "nslookup",
                "<vcenter>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the record, use a DNS server that has it, or give the IP address of vCenter.",
        ),
        Step(
            "Repeat.",
            run=(
                "az",
                "arcappliance",
                "createconfig",
                "vmware",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=(
        "arc.fabric_unreachable",
        "network.name_resolution_fails",
        "network.dns_name_unknown",
    ),
    ask="nslookup <vcenter>",
)
