from sickbay.model.arc import AGENT_NAMESPACE, ConnectedCluster
from sickbay.model.guards import Namespace
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ConnectedCluster)
def has_no_agents(cluster: ConnectedCluster, snapshot: Snapshot) -> Match | Clear | None:
    says = cluster.connectivity_status or "of unknown connectivity"
    found = Match(
        f"{cluster.name} is {says}: no agent has reported",
        facts={"cluster": cluster.name},
        cites=(cluster.cite("properties.connectivityStatus", cluster.connectivity_status),),
    )
    if cluster.connectivity == "agentnotinstalled":
        return found
    if not cluster.is_unwell or len(snapshot.some(ConnectedCluster)) > 1:
        return Clear(f"{cluster.name} is {says}")
    if snapshot.get(kube("Namespace", "", AGENT_NAMESPACE), Namespace):
        return Clear(f"the namespace {AGENT_NAMESPACE} is there")
    absent = f"{cluster.name} is {says}, and has no namespace {AGENT_NAMESPACE}"
    return found._replace(says=absent)


RULE = Rule(
    title="Azure Arc agents are not present on the cluster: onboarding was not done, or the agents were removed",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        has_no_agents,
        Signature(
            pattern=r"(?i)Azure Arc agents are not present on the cluster|release \"?azure-arc\"? not found|release: not found.{0,60}?azure-arc|azure-arc.{0,60}?release: not found|namespaces \"azure-arc\" not found|secrets \"sh\.helm\.release\.v1\.azure-arc\.v\d+\" not found|azure-arc release namespace couldn't be retrieved|\bAZK8S0508\b",
            says="no Arc agents in the cluster",
            sample="Error: Azure Arc agents are not present on the cluster. Please verify whether Arc onboarding of the Kubernetes cluster has been attempted.",
            near_miss="Azure Arc agents are running on the cluster",
        ),
    ),
    why="The Azure resource exists, but there are no Arc agents in the cluster (AgentNotInstalled; the release azure-arc is missing): onboarding was never attempted or not finished, or the agents were uninstalled.",
    remedy=(
        Step(
            "See what there is.",
            run=(
                "helm",
                "status",
                "azure-arc",
                "-n",
                "azure-arc-release",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Connect the cluster.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query connectivityStatus wants Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/diagnose-connection-issues",
    ),
    leads_to=(
        "arc.agent_offline",
        "arc.connection_failed",
        "arc.cluster_connect_unavailable",
    ),
)
