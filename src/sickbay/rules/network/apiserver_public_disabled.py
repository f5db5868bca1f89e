from sickbay.model.aks import ManagedCluster
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.snapshot import Snapshot
from sickbay.network.apiserver import decide
from sickbay.network.traffic import Verdict
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(ManagedCluster, TYPICAL)
def shuts_everybody_out(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    access = cluster.public_network_access or "Enabled"
    if access.casefold() != "disabled" or cluster.is_private or cluster.is_stopped:
        return None
    if cluster.has_integrated_server:
        # There is a private way in: whether it was meant to be the only one, nobody can read.
        what = f"whether the client stands in the network of {cluster.name}"
        raise UnseenError(Gap("client network", what, to_open=cluster.look))
    decision = decide(snapshot, cluster)
    if decision.verdict is not Verdict.BLOCKED:
        return Clear(f"{cluster.name} {decision.by[0].says}")
    return Match(
        f"{cluster.name} {decision.by[0].says}, and it is no private cluster either",
        cites=(cluster.cite("properties.publicNetworkAccess", cluster.public_network_access),),
    )


RULE = Rule(
    title="Public network access of the cluster is disabled, so its API server takes no outside call",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(shuts_everybody_out,),
    why="With publicNetworkAccess Disabled the public endpoint of the API server drops every connection from outside, whatever the authorized ranges say. A cluster that is not private has no other endpoint, so kubectl times out everywhere.",
    remedy=(
        Step(
            "See who may reach the API server.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "{public:publicNetworkAccess,access:apiServerAccessProfile}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow public access again, and narrow it by authorized ranges.",
            run=(
                "az",
                "resource",
                "update",
                "--ids",
                "{subject}",
                "--set",
                "properties.publicNetworkAccess=Enabled",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants an answer",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges",
        "https://learn.microsoft.com/azure/aks/private-clusters",
    ),
    leads_to=("aks.api_server_unreachable",),
    ask="az aks show -g {resource_group} -n {cluster} --query publicNetworkAccess",
)
