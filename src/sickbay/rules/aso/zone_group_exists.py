from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The private endpoint has a private DNS zone group already, and takes only one",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)Cannot create more than one private ?dns ?zone ?groups? in the private endpoint|\bMoreThanOnePrivateDnsZoneGroup\w*",
            says="a second zone group is asked for",
            sample="Cannot create more than one private dns zone groups in the private endpoint /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/privateEndpoints/pe.",
            near_miss="Created the private dns zone group in the private endpoint pe",
        ),
    ),
    why="A private endpoint has one zone group, whatever its name; several zones are configurations within it. A policy (deployIfNotExists), the portal or an earlier run made one under another name, mostly `default` or `deployedByPolicy`.",
    remedy=(
        Step(
            "See the group that is there.",
            run=(
                "az",
                "network",
                "private-endpoint",
                "dns-zone-group",
                "list",
                "-g",
                "{resource_group}",
                "--endpoint-name",
                "<endpoint>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give yours its name, or add the zones to it; where a policy sets it, leave it out of the template and ignore changes to it.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/private-link/private-endpoint-dns-integration",),
    leads_to=("aso.request_refused",),
    ask="az network private-endpoint dns-zone-group list -g {resource_group} --endpoint-name <endpoint>",
)
