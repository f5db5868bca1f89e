from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="external-dns finds no DNS zone for a host name, so it writes no record",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"Ignoring changes to \'?(?P<host>[\w.*-]+)\'? because a suitable (?:Azure )?(?:Private )?DNS zone was not found|[Ff]ound 0 Azure (?:Private )?DNS zone",
            says="no zone for the name was found",
            sample="level=info msg=\"Ignoring changes to 'shop.example.com' because a suitable Azure DNS zone was not found.\"",
            near_miss='level=debug msg="Found 2 Azure DNS zone(s)."',
        ),
    ),
    why="external-dns writes only into zones that it sees: in its resource group and subscription, of its provider (azure for public, azure-private-dns for private zones), and allowed by domain-filter. None of them ends the name.",
    remedy=(
        Step(
            "See the zones of the resource group.",
            run=(
                "az",
                "network",
                "dns",
                "zone",
                "list",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct resource group, domain-filter or provider of external-dns.",
            verify="external-dns says Updating A record",
        ),
    ),
    docs=("https://kubernetes-sigs.github.io/external-dns/latest/docs/tutorials/azure/",),
    ask="az network dns zone list -o table",
)
