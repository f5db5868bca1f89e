from sickbay.model.arc import AGENT_NAMESPACE, agents_of
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

_FAILED = {"ImagePullBackOff", "ErrImagePull"}


@each(Pod, TYPICAL)
def has_no_image(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if pod.namespace != AGENT_NAMESPACE:
        return None
    for container in pod.waiting:
        reason = (
            container.state and container.state.waiting and container.state.waiting.reason
        ) or ""
        if reason in _FAILED:
            return Match(
                f"{container.name} of {pod.name} is in {reason}",
                cites=(pod.cite("status.containerStatuses.state.waiting.reason", reason),),
                subject=agents_of(snapshot),
            )
    return Clear(f"no container of {pod.name} waits for its image")


RULE = Rule(
    title="The Arc agents' container images cannot be pulled (AZK8S0513)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        has_no_image,
        Signature(
            pattern=r"\bAZK8S0513\b|(?i:Azure Arc agent pods could not pull their container images)|\bImagePullFailure\b.{0,100}?(?i:azure-arc|helm)",
            says="images of the agents were not pulled",
            sample="[AZK8S0513] Azure Arc agent pods could not pull their container images. Verify the cluster nodes can reach mcr.microsoft.com, check any registry/proxy settings, and confirm nodes have free disk space.",
            near_miss="Azure Arc agent pods pulled their container images",
        ),
    ),
    why="The nodes pull the images of the agents from mcr.microsoft.com and *.data.mcr.microsoft.com. ImagePullFailure after the Helm timeout means that the registry is blocked, the proxy is wrong, or the disks of the nodes are full.",
    remedy=(
        Step(
            "See the agents.",
            run=("kubectl", "get", "pods", "-n", "azure-arc", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Let the nodes reach mcr.microsoft.com and *.data.mcr.microsoft.com on 443, or connect with the proxy parameters.",
        ),
        Step(
            "Connect again.",
            run=("az", "connectedk8s", "connect", "-g", "{resource_group}", "-n", "{cluster}"),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query connectivityStatus wants Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/network-requirements",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
    leads_to=(
        "arc.onboarding_timeout",
        "arc.agents_not_running",
        "arc.connection_failed",
    ),
    ask="kubectl describe pods -n azure-arc",
)
