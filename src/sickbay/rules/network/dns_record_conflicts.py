from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A DNS record cannot be written: one of the same name exists or excludes it (CNAME beside TXT or A)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?:record named '(?P<record>[\w.*@-]+)' .{0,900}?)?(?:could not be (?:created|updated) because a (?:CNAME )?record with the same name already exists|\bCannotCreateRecordDueToCNameNamingRestriction\b|is not permitted because a conflicting RRSet|[Rr]ecord ?set \S{1,253} exists already and hence cannot be created again|invalid because the DNS name '\S{1,253}' has a resource record set of the type 'CNAME')",
            says="a record of the same name is in the way",
            sample='level=error msg="Failed to update TXT record named \'shop\' to \'"heritage=external-dns"\' for DNS zone \'contoso.com\': RESPONSE 409: 409 Conflict ERROR CODE: Conflict { "code": "Conflict", "message": "The record could not be created because a CNAME record with the same name already exists in this zone." }',
            near_miss="level=info msg=\"Updating CNAME record named 'shop' to 'shop.alb.azure.com' for Azure DNS zone 'contoso.com'.\"",
        ),
        Signature(
            pattern=r"Failed to (?:update|create|delete) (?P<type>[A-Z]{1,5}) record named '(?P<record>[\w.*@-]+)' .{0,900}?The domain name '.{1,260}?' is invalid",
            says="the target of the record {record} is no domain name",
            sample='Failed to update CNAME record named \'shop\' to \'"contoso.net"\' for DNS zone \'contoso.com\': RESPONSE 400: 400 Bad Request ERROR CODE: BadRequest { "code": "BadRequest", "message": "The domain name \'"contoso.net"\' is invalid." }',
            near_miss="Updating CNAME record named 'shop' to 'contoso.net' for DNS zone 'contoso.com'",
        ),
    ),
    why="A name with a CNAME record can have no other record. external-dns marks what it owns by a TXT record, by default of the same name, which collides with the CNAME that it writes for a host name as target; a record that somebody else made is not overwritten either, and a target with quotes or a space in it is no domain name.",
    remedy=(
        Step(
            "See what the zone holds under that name.",
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
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Start external-dns with --txt-prefix (or --txt-suffix), so that its marks have names of their own, and correct a target that is no name.",
            risk=Risk.SAFE,
            verify="external-dns says All records are already up to date",
        ),
        Step("Delete an old record that nobody needs.", risk=Risk.DISRUPTIVE),
    ),
    docs=("https://kubernetes-sigs.github.io/external-dns/latest/docs/registry/txt/",),
    leads_to=("aso.request_refused", "aso.account_name_invalid"),
    ask="az network dns record-set list --resource-group <zone-group> --zone-name <zone> -o json",
)
