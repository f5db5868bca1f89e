from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="external-dns leaves a record alone that another owner wrote (owner id does not match)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"Skipping endpoint (?P<record>[\w.*-]{1,253}) .{0,400}?because owner id does not match(?:, found: \"(?P<found>[^\"]{0,100})\", required: \"(?P<required>[^\"]{0,100})\")?",
            says="the record {record} belongs to another owner",
            sample='time="2026-02-02T10:10:10Z" level=info msg="Skipping endpoint shop.contoso.com 300 IN A  20.50.1.2 [] because owner id does not match, found: \\"cluster-b\\", required: \\"cluster-a\\""',
            near_miss='time="2026-02-02T10:10:10Z" level=info msg="Desired change: CREATE shop.contoso.com A"',
        ),
    ),
    why="external-dns changes only records whose TXT mark bears its own --txt-owner-id. This record has the mark of another cluster or installation, or none because it was made by hand, so it keeps its old address.",
    remedy=(
        Step(
            "See the record and its TXT mark (heritage=external-dns).",
            run=(
                "az",
                "network",
                "dns",
                "record-set",
                "list",
                "--resource-group",
                "<zone-group>",
                "--zone-name",
                "<zone>",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If this cluster is to own the name, delete the record and its mark; external-dns writes both anew at its next round.",
            risk=Risk.DISRUPTIVE,
            verify="the record shows the address of the ingress",
        ),
        Step(
            "Keep the same --txt-owner-id over reinstallations of one cluster, and a different one in each cluster."
        ),
    ),
    docs=("https://kubernetes-sigs.github.io/external-dns/latest/docs/registry/txt/",),
    leads_to=(),
    ask="az network dns record-set list --resource-group <zone-group> --zone-name <zone> -o json",
)
