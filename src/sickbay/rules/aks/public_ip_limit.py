from sickbay.model.ailing import waiting_services
from sickbay.model.aks import ManagedCluster
from sickbay.model.azure import RegionUsages, usages_of
from sickbay.model.routing import PublicIPAddress
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)

MOST_NAMED = 5


@each(ManagedCluster, TYPICAL)
def region_has_none_left(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    if not cluster.is_unwell and not waiting_services(snapshot, is_internal=False):
        return None
    region = cluster.location or ""
    usages = usages_of(snapshot.some(RegionUsages), region, "PublicIPAddresses")
    for name in ("PublicIPAddresses", "StandardSkuPublicIpAddresses"):
        used, limit = usages.counter(name) or (0, 1)
        if used >= limit:
            idle = _idle(snapshot, region)
            named = ", ".join(address.name for address in idle[:MOST_NAMED])
            rest = f" and {len(idle) - MOST_NAMED} more" if len(idle) > MOST_NAMED else ""
            spare = f"; {len(idle)} are attached to nothing: {named}{rest}" if idle else ""
            return Match(
                f"{name} in {region}: {used} of {limit} are used{spare}",
                facts={
                    "location": region,
                    "idle": idle[0].id if idle else "",
                    "unused": named + rest or "none in evidence",
                    "wanted": str(limit + 1),
                },
                cites=(
                    usages.cite(f"usages.{name}", f"{used} of {limit}"),
                    *(one.cite("properties.ipConfiguration", None) for one in idle[:MOST_NAMED]),
                ),
            )
    return Clear(f"{region} has public IP addresses left")


def _idle(snapshot: Snapshot, region: str) -> list[PublicIPAddress]:
    """The addresses of a region that belong to nothing."""
    if not snapshot.holds(PublicIPAddress.kind):
        return []
    here = region.replace(" ", "").casefold()
    free = [
        address
        for address in snapshot.some(PublicIPAddress)
        if not (address.ip_configuration or address.nat_gateway)
        and (address.location or region).replace(" ", "").casefold() == here
    ]
    return sorted(free, key=lambda address: address.ref.key)


RULE = Rule(
    title="The subscription has no public IP addresses left in this region (PublicIPCountLimitReached)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY, Category.SCALING),
    detect=(
        region_has_none_left,
        Signature(
            pattern=r"\bManagedOutboundIPCountExceedsQuotaLimit\b|\b(?:PublicIPCountLimitReached|PublicIPAddressesCountLimitReached|(?:IPv[46])?StandardSkuPublicI[pP]CountLimitReached|PublicIPLimitReached)\b|Cannot create more than (?P<limit>\d+) (?:IPv[46] )?(?:Standard SKU )?public IP addresses",
            says="the limit of public IP addresses is reached",
            sample='Reconcile standard load balancer failed. Details: outboundReconciler retry failed: Category: ClientError; SubCode: PublicIPCountLimitReached; Code="PublicIPCountLimitReached" Message="Cannot create more than 1000 public IP addresses for this subscription in this region."',
            near_miss="Created public IP address 12 of 1000 for this subscription in this region",
        ),
    ),
    why="The number of public IP addresses is limited for each subscription and region. The outbound address of a cluster, and each service of type LoadBalancer, needs one. Basic SKU addresses are retired: new subscriptions have a limit of 0 for them, and only Standard ones can be made.",
    remedy=(
        Step(
            "See how many are used.",
            run=(
                "az",
                "network",
                "list-usages",
                "-l",
                "{location}",
                "--query",
                "[?contains(name.value,'PublicIP')]",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Find addresses that belong to nothing.",
            run=(
                "az",
                "network",
                "public-ip",
                "list",
                "--query",
                "[?ipConfiguration==null && natGateway==null].id",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete addresses that belong to nothing and that nobody keeps for a reason[: {unused}].",
            run=("az", "network", "public-ip", "delete", "--ids", "{idle}"),
            risk=Risk.DESTRUCTIVE,
            verify="az network list-usages -l {location} wants current value below limit",
        ),
        Step(
            "Or ask for a higher limit[, at least {wanted}] (portal: Quotas, Networking).",
            risk=Risk.SAFE,
            verify="az network list-usages -l {location} wants current value below limit",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/publicipcountlimitreached-error",
    ),
    leads_to=("aks.operation_failed", "aks.scale_up_failed", "kubernetes.load_balancer_fails"),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)
