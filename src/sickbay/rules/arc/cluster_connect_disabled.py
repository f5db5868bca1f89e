from sickbay.model.arc import AGENT_NAMESPACE
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment
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

_AGENTS = ("clusterconnect-agent", "kube-aad-proxy")


@each(Deployment)
def has_no_connect_agents(other: Deployment, snapshot: Snapshot) -> Match | Clear | None:
    # Every onboarded cluster has this one, so that it speaks for all of them.
    if other.namespace != AGENT_NAMESPACE or other.name != "config-agent":
        return None
    absent = [
        name
        for name in _AGENTS
        if snapshot.get(kube("Deployment", AGENT_NAMESPACE, name), Deployment) is None
    ]
    if len(absent) < len(_AGENTS):
        return Clear("the agents of cluster connect are deployed")
    return Match(
        f"the deployments {' and '.join(absent)} do not exist",
        cites=(other.cite("metadata.namespace", AGENT_NAMESPACE),),
        felt_as=("arc.cluster_connect_unavailable",),
    )


RULE = Rule(
    title="The cluster-connect feature is disabled: its agents do not exist in the cluster",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        has_no_connect_agents,
        Signature(
            pattern=r"(?i)cluster-?connect'? feature (?:is|has been) (?:not enabled|disabled)",
            says="cluster connect is disabled",
            sample="The cluster-connect feature is disabled on the cluster c1",
            near_miss="The cluster-connect feature is enabled on the cluster c1",
            weight=TYPICAL,
        ),
    ),
    why="`az connectedk8s proxy` needs clusterconnect-agent and kube-aad-proxy in the namespace azure-arc. With the feature cluster-connect disabled these deployments do not exist, and the proxy finds no agent on the other side.",
    remedy=(
        Step(
            "See the deployments.",
            run=(
                "kubectl",
                "get",
                "deployment",
                "-n",
                "azure-arc",
                "clusterconnect-agent",
                "kube-aad-proxy",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Enable the feature.",
            run=(
                "az",
                "connectedk8s",
                "enable-features",
                "--features",
                "cluster-connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="kubectl get deployment -n azure-arc clusterconnect-agent wants READY 1/1",
        ),
        Step(
            "Start the proxy again.",
            run=(
                "az",
                "connectedk8s",
                "proxy",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/cluster-connect",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
    leads_to=("arc.cluster_connect_unavailable",),
    ask="kubectl get deployment -n azure-arc clusterconnect-agent kube-aad-proxy",
)
