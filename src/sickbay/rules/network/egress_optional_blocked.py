from sickbay.model.aks import ManagedCluster
from sickbay.model.snapshot import Snapshot
from sickbay.network.egress_barriers import lesser_barrier
from sickbay.rulekit import Category, Cite, Clear, Match, Risk, Rule, Severity, Step, each


@each(ManagedCluster)
def blocks_what_is_better_open(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear:
    if cluster.is_stopped:
        return Clear(f"{cluster.name} is stopped")
    found = lesser_barrier(snapshot, cluster)
    if found is None:
        return Clear(f"nothing is known to keep the nodes of {cluster.name} from what they want")
    first = found.endpoints[0]
    return Match(
        f"{found.says}, which keeps the nodes of {cluster.name} from {found.listed} "
        f"({first.feature}): {first.breaks}",
        facts={
            "object": found.at.name,
            "endpoints": " ".join(one.fqdn for one in found.endpoints),
            "endpoint": first.example,
            "port": str(first.port),
        },
        cites=(Cite(found.by[0].ref or found.at, "", found.says),),
    )


RULE = Rule(
    title="Endpoints of add-ons, or ones that AKS recommends, are blocked on the way out",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(blocks_what_is_better_open,),
    why="Nodes run without these endpoints, but an add-on does not do its work, drivers are not installed, or security updates of the operating system do not arrive between two node images.",
    remedy=(
        Step(
            "Allow in {object} what is wanted of: {endpoints}; or turn the add-on off.",
            risk=Risk.DISRUPTIVE,
            verify="nc -vz {endpoint} {port} on a node wants: succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",),
)
