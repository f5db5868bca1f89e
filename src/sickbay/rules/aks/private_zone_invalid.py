from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The private DNS zone or subdomain given for the private cluster is not valid (privateDNSZone)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\b(?:Invalid|None)PrivateDNSZone\w+|\bOnlySupportedOnPrivateCluster\w*|FQDN Subdomain is only supported|(?i:\bprivate ?-?dns ?-?zone\b.{0,160}?(?:must be (?:in|of|one|named)|is invalid|not valid|should be|wrong format|invalid (?:name|format|resource)|does not match|must match|must end|format))|(?i:--private-dns-zone\b.{0,100}?(?:should be|must|invalid|is not))|(?i:--?fqdn-?subdomain\b.{0,120}?(?:must|should|only|cannot|can't|required|invalid))|(?i:privatelink\.<?region>?\.azmk8s\.io)",
            says="the private DNS zone of the request is refused",
            sample="InvalidPrivateDNSZoneResourceID: private dns zone must be in format 'private.REGION.azmk8s.io' or 'privatelink.REGION.azmk8s.io'.",
            near_miss="private DNS zone privatelink.westeurope.azmk8s.io is linked",
            weight=TYPICAL,
            unless=r"(?i)(?:postgres|mysql)\.database\.azure|PrivateDnsZoneNameNotValid|lookup|no such host|already linked|forbidden|authorization",
        ),
    ),
    why="A private cluster takes `system`, `none` or the resource id of a zone named privatelink.<region>.azmk8s.io, private.<region>.azmk8s.io or a subzone of one of them, in the cluster's region. A zone of another name, another region, or an fqdn subdomain without a zone of your own is refused.",
    remedy=(
        Step(
            "See the zones that you have.",
            run=("az", "network", "private-dns", "zone", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Give the id of a zone whose name fits the region, with a user-assigned identity that is Private DNS Zone Contributor on it, or use system."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/private-clusters",),
    leads_to=("aks.request_refused",),
    ask="az network private-dns zone list -o table",
)
