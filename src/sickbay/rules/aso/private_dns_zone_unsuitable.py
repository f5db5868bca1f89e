from sickbay.model.aso_codes import said
from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The private DNS zone of the request is missing, not linked to the virtual network, or has the wrong name",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\b(?P<code>EmptyPrivateDnsZone\w*|InvalidPrivateDnsZone\w*|PrivateDnsZone(?:NameNotValid|NotFound|NotLinked|Invalid|Mismatch|IsRequired)\w*|PrivateDnsZoneArmResourceId\w*|MissingPrivateDnsZone\w*)\b|(?i:private dns zone .{0,160}?(?:is not linked|not linked to))",
            says="the private DNS zone does not fit[ ({code})]",
            sample="InvalidPrivateDnsZone: The private DNS zone 'shop.private.postgres.database.azure.com' is not linked to the virtual network",
            near_miss="The private DNS zone is linked to the virtual network",
            unless=r"(?i)AuthorizationFailed|managedClusters|azmk8s|CustomPrivateDNSZone",
        ),
        Signature(
            pattern=said(r"(?i:private dns zone.{0,120}?(?:required|must|cannot|should|does not))"),
            says="the private DNS zone does not fit",
            sample="pg1 False Warning BadRequest The argument 'private DNS zone' is required when the server is created with VNet integration",
            near_miss="pg1 True Succeeded private DNS zone",
            weight=TYPICAL,
            unless=r"(?i)AuthorizationFailed|CustomPrivateDNSZone",
        ),
    ),
    why="A server inside a virtual network (PostgreSQL or MySQL flexible server) registers its name in a private DNS zone that must exist before it, end with private.postgres.database.azure.com or private.mysql.database.azure.com, differ from the server name, and be linked to the virtual network of the server (or of the DNS servers that it uses). ASO creates objects in any order, so the zone or its virtual network link may not be there yet.",
    remedy=(
        Step(
            "See the zones and their links.",
            run=(
                "az",
                "network",
                "private-dns",
                "link",
                "vnet",
                "list",
                "-g",
                "{resource_group}",
                "-z",
                "<zone>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create zone and PrivateDnsZonesVirtualNetworkLink, refer to the zone by group, kind and name so that ASO waits for it, and link it to the virtual network of the subnet.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/postgresql/flexible-server/concepts-networking-private",
    ),
    leads_to=("aks.parameter_invalid", "aso.invalid_value", "aso.request_refused", "aso.not_ready"),
    ask="az network private-dns link vnet list -g {resource_group} -z <zone> -o table",
)
