from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The settings of application routing (web app routing) are refused: DNS zones, or a default controller",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bwebAppRouting\b.{0,200}?(?:\binvalid\b|must|not (?:supported|allowed|valid)|cannot|exceed|at most)|\bweb_?app_?routing\b.{0,160}?(?:\binvalid\b|must be|not (?:supported|allowed|valid)|cannot)|app(?:lication)? ?routing\b.{0,120}?(?:is not enabled|already enabled|must be enabled|not (?:supported|allowed)|\binvalid\b|cannot be)|\bdnsZoneResourceIds?\b.{0,160}?(?:\binvalid\b|must|exceed|same|at most)|--dns-zone-resource-ids?\b.{0,80}?(?:must|invalid|is not|required)",
            says="the settings of application routing are refused",
            sample="(InvalidParameter) The value of parameter ingressProfile.webAppRouting.dnsZoneResourceIds is invalid. Error details: dns zone resource IDs must be in the same subscription and resource group.",
            near_miss="ingressProfile.webAppRouting: enabled true, dnsZoneResourceIds []",
            weight=TYPICAL,
            unless=r"(?i)gateway|http ?application ?routing|ExternalDNS",
        ),
    ),
    why="Application routing takes up to five public and five private DNS zones; the zones of one kind lie in one subscription and resource group. Zones and the default controller can only be set while the add-on is enabled, and its identity needs DNS Zone Contributor on them.",
    remedy=(
        Step(
            "See the zones that it has.",
            run=(
                "az",
                "aks",
                "approuting",
                "zone",
                "list",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add zones of one group, and have the role assigned.",
            run=(
                "az",
                "aks",
                "approuting",
                "zone",
                "add",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--ids",
                "<dns-zone-id>",
                "--attach-zones",
            ),
            risk=Risk.SAFE,
            verify="az aks approuting zone list wants the zone",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/app-routing-dns-ssl",),
    leads_to=("aks.request_refused",),
    ask="az aks show -g {resource_group} -n {cluster} --query ingressProfile -o json",
)
