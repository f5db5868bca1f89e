from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The private DNS zone is linked already to this network, or to an earlier one of the same id",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.CREATION),
    detect=(
        Signature(
            pattern=r"(?i)Private zone '?(?P<zone>[\w.-]+)'? is already linked to the virtual network|Virtual network resource identity '?\S{1,400}'? already in use\. This is possible in case",
            says="there is a link to the network already[, of {zone}]",
            sample="Conflict: Private zone 'shop.internal' is already linked to the virtual network '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v'.",
            near_miss="Private zone 'shop.internal' was linked to the virtual network v",
        ),
    ),
    why="Between one private DNS zone and one virtual network there is a single link, whatever its name. Another run, a landing zone or a policy made it under another name; or the network was deleted, moved or made anew, and the link of the old one still stands in the zone.",
    remedy=(
        Step(
            "List the links of the zone.",
            run=(
                "az",
                "network",
                "private-dns",
                "link",
                "vnet",
                "list",
                "-g",
                "<group-of-the-zone>",
                "-z",
                "<zone>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use the link that is there: import it into the state, or leave it out of the template."
        ),
        Step(
            "Or delete it and run again; names in the zone do not resolve from the network meanwhile.",
            run=(
                "az",
                "network",
                "private-dns",
                "link",
                "vnet",
                "delete",
                "-g",
                "<group-of-the-zone>",
                "-z",
                "<zone>",
                "-n",
                "<link>",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    leads_to=("aso.operation_conflict",),
    docs=("https://learn.microsoft.com/azure/dns/private-dns-virtual-network-links",),
    ask="az network private-dns link vnet list -g <group-of-the-zone> -z <zone> -o json",
)
