from sickbay.model.aks import ManagedCluster
from sickbay.model.azure import RegionUsages, usages_of
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


@each(ManagedCluster, TYPICAL)
def region_has_none_left(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    if not cluster.is_unwell:
        return None
    usages = usages_of(snapshot.some(RegionUsages), cluster.location or "", "PublicIPAddresses")
    for name in ("PublicIPAddresses", "StandardSkuPublicIpAddresses"):
        used, limit = usages.counter(name) or (0, 1)
        if used >= limit:
            return Match(
                f"{name} in {cluster.location}: {used} of {limit} are used",
                facts={"location": cluster.location or ""},
                cites=(usages.cite(f"usages.{name}", f"{used} of {limit}"),),
            )
    return Clear(f"{cluster.location} has public IP addresses left")


RULE = Rule(
    title="The subscription has no public IP addresses left in this region (PublicIPCountLimitReached)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY, Category.SCALING),
    detect=(
        region_has_none_left,
        Signature(
            pattern=r"\b(?:PublicIPCountLimitReached|PublicIPAddressesCountLimitReached|StandardSkuPublicIPCountLimitReached|PublicIPLimitReached)\b|Cannot create more than (?P<limit>\d+) public IP addresses",
            says="the limit of public IP addresses is reached",
            sample='Reconcile standard load balancer failed. Details: outboundReconciler retry failed: Category: ClientError; SubCode: PublicIPCountLimitReached; Code="PublicIPCountLimitReached" Message="Cannot create more than 1000 public IP addresses for this subscription in this region."',
            near_miss="Created public IP address 12 of 1000 for this subscription in this region",
        ),
    ),
    why="The number of public IP addresses is limited for each subscription and region. The outbound address of a cluster, and each service of type LoadBalancer, needs one.",
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
            "Delete the addresses that are not needed, or ask for a higher limit (portal: Quotas, Networking).",
            risk=Risk.DESTRUCTIVE,
            verify="az network list-usages -l {location} wants current value below limit",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/publicipcountlimitreached-error",
    ),
    leads_to=("aks.operation_failed", "aks.scale_up_failed"),
    ask="az network list-usages -l {location} -o table",
)
