from sickbay.model.arc import ConnectedCluster
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    SYMPTOM,
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


@each(ConnectedCluster, SYMPTOM)
def is_failed(cluster: ConnectedCluster, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    state = (cluster.provisioning_state or "").casefold()
    if state != "failed" or cluster.connectivity == "connected":
        return Clear(f"{cluster.name} is {cluster.provisioning_state or 'of unknown state'}")
    return Match(
        f"{cluster.name} is in provisioning state {cluster.provisioning_state}, "
        f"{cluster.connectivity_status or 'with no connectivity'}",
        facts={"cluster": cluster.name},
        cites=(cluster.cite("properties.provisioningState", cluster.provisioning_state),),
    )


RULE = Rule(
    title="The connected cluster's Azure resource is in provisioning state Failed",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        is_failed,
        Signature(
            pattern=r"(?i)\bAZK8S(?:040[01]|0500)\b|Unable to create connected cluster resource|Failed to create the connected cluster Azure resource|connected cluster .{0,80}?(?:stuck|remains|stays) .{0,20}?\bConnecting\b|(?:cluster|resource) (?:is |has been )?(?:stuck|remains|stays|still) (?:in |at )?(?:the )?(?:state |status )?\W?Connecting\b",
            says="the connected cluster was not created",
            sample="Unable to create connected cluster resource: the operation did not finish",
            near_miss="The connected cluster resource was created",
            weight=SYMPTOM,
        ),
    ),
    why="Azure writes Failed when the agents did not come up and report after the resource was created: the cluster cannot pull their images, cannot place them, lacks their certificate, or cannot reach Azure. More rarely the Arc service itself had an incident during the onboarding; after that ends, the resource is deleted and the cluster connected again.",
    remedy=(
        Step(
            "Read what the agents said.",
            run=(
                "az",
                "connectedk8s",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "[provisioningState,connectivityStatus,arcAgentProfile]",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See the agents.",
            run=("kubectl", "get", "pods", "-n", "azure-arc", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "See whether Azure had an incident with Arc at that time: https://azure.status.microsoft.",
        ),
        Step(
            "Mend what is named, delete the resource and connect again.",
            run=("az", "connectedk8s", "delete", "-g", "{resource_group}", "-n", "{cluster}"),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/diagnose-connection-issues",
    ),
)
