from sickbay.model.arc import AGENT_NAMESPACE, agents_of
from sickbay.model.ids import kube
from sickbay.model.installed import Secret
from sickbay.model.kubernetes import Pod
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

_IDENTITY = kube("Secret", AGENT_NAMESPACE, "azure-identity-certificate")
# A table of one namespace does not name it, and the names below are the agents' own.
_NAMESPACES = frozenset({"", "<namespace>", AGENT_NAMESPACE})
_NEED_IT = ("clusterconnect-agent-", "config-agent-")


@each(Pod)
def lacks_the_identity(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if pod.namespace not in _NAMESPACES or not pod.name.startswith(_NEED_IT):
        return None
    if pod.is_ready:
        return Clear(f"{pod.name} runs")
    found = Match(
        f"{pod.name} does not run, and there is no secret {_IDENTITY.name}",
        cites=(pod.cite("status.phase", pod.status.phase),),
        subject=agents_of(snapshot),
    )
    if snapshot.has_seen(Secret.kind, AGENT_NAMESPACE) or snapshot.find(_IDENTITY):
        is_there = snapshot.get(_IDENTITY, Secret) is not None
        return Clear(f"the secret {_IDENTITY.name} is there") if is_there else found
    if not _both_crash(snapshot, pod.namespace):
        snapshot.require(Secret, AGENT_NAMESPACE)
    says = f"{pod.name} does not run, like the others that need the identity"
    return found._replace(says=says, weight=TYPICAL)


def _both_crash(snapshot: Snapshot, namespace: str) -> bool:
    """Whether all that need the identity crash while the operator that asks for it runs."""
    pods = snapshot.in_namespace(Pod, namespace)
    crash = {
        prefix for prefix in _NEED_IT for pod in pods if pod.name.startswith(prefix) and pod.waiting
    }
    operators = [pod for pod in pods if pod.name.startswith("clusteridentityoperator-")]
    return len(crash) == len(_NEED_IT) and any(not pod.waiting for pod in operators)


RULE = Rule(
    title="The identity certificate of the Arc agents never arrived in the cluster",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        lacks_the_identity,
        Signature(
            pattern=r"\b(?:clusterconnect-agent|config-agent)-[a-z0-9]{6,10}-[a-z0-9]{5} \d/\d (?:CrashLoopBackOff|Error)\b",
            says="an agent that needs the identity crashes",
            sample="config-agent-65d5df564f-lffqm 1/2 Error 6 14m",
            near_miss="config-agent-65d5df564f-lffqm 2/2 Running 6 14m",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"\bAZK8S0309\b|(?i:Unable to pull MSI certificate)|[Ss]ecrets? \"?(?P<secret>azure-identity-certificate)\"? not found|(?i:agent identity or certificate synchronization did not finish)|\bClusterIdentityFailure\b|clusterIdentityCRDInteraction status not populated|\bClusterIdentityCRDTokenFetchFailed\b|(?i:clusteridentityoperator\b.{0,200}?failed to parse PEM block containing the key)",
            says="the identity certificate of the agents is missing",
            sample='MountVolume.SetUp failed for volume "azure-identity" : secret "azure-identity-certificate" not found',
            near_miss='secret "azure-identity-certificate" found',
        ),
    ),
    why="Azure delivers the managed identity (MSI) certificate as the secret azure-identity-certificate. Without it clusterconnect-agent and config-agent crash (CrashLoopBackOff), kube-aad-proxy waits for its own, and onboarding times out (AZK8S0309); mostly *.his.arc.azure.com is blocked.",
    remedy=(
        Step(
            "See whether the secret is there.",
            run=("kubectl", "get", "secret", "-n", "azure-arc", "azure-identity-certificate"),
            risk=Risk.READ,
        ),
        Step(
            "Let the cluster reach *.his.arc.azure.com and login.microsoftonline.com, or connect with proxy parameters.",
        ),
        Step(
            "Delete the connection.",
            run=("az", "connectedk8s", "delete", "-g", "{resource_group}", "-n", "{cluster}"),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Connect again.",
            run=("az", "connectedk8s", "connect", "-g", "{resource_group}", "-n", "{cluster}"),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query connectivityStatus wants Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/network-requirements",
    ),
    leads_to=(
        "arc.onboarding_timeout",
        "arc.agents_not_running",
        "arc.connection_failed",
        "kubernetes.config_missing",
    ),
    ask="kubectl get secret -n azure-arc azure-identity-certificate",
)
