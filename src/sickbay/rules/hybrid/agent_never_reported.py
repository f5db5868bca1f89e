from sickbay.model.hybrid import ProvisionedCluster
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


@each(ProvisionedCluster)
def has_no_connection_time(cluster: ProvisionedCluster, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not cluster.is_succeeded or not cluster.tells_of_agents:
        return None
    if cluster.connected_at or cluster.certificate_ends_at:
        return Clear(
            f"{cluster.name} last connected at {cluster.connected_at or 'a time that is not shown'}"
        )
    return Match(
        f"{cluster.name} is Succeeded, but lastConnectivityTime and managedIdentityCertificateExpirationTime are null",
        cites=(
            cluster.cite("properties.lastConnectivityTime", None),
            cluster.cite("properties.managedIdentityCertificateExpirationTime", None),
        ),
    )


RULE = Rule(
    title="The Arc agents of an AKS hybrid cluster never reported to Azure, although its creation Succeeded",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        has_no_connection_time,
        Signature(
            pattern=r"(?i)couldn.?t display date/time, invalid format",
            says="the portal has no expiry date of the cluster's identity certificate to show",
            sample="Managed identity certificate expiration time: Couldn't display date/time, invalid format.",
            near_miss="Managed identity certificate expiration time: 8/12/2023, 10:00:00 AM",
            weight=TYPICAL,
        ),
    ),
    why="Azure marks the cluster Succeeded when its machines are there; the agents fetch their identity certificate and report a connection time only afterwards. Null in both fields means that onboarding was never completed: the agents did not start, or could not reach Azure.",
    remedy=(
        Step(
            "See both times.",
            run=("az", "hybridaks", "show", "-g", "{resource_group}", "--name", "{name}"),
            risk=Risk.READ,
        ),
        Step(
            "Find out what keeps the agents from Azure: the cloud services network, the isolation domain below it, or the memory of the nodes.",
            run=("az", "networkcloud", "cloudservicesnetwork", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Delete the cluster and create it again once the path is open.",
            run=("az", "hybridaks", "delete", "-g", "{resource_group}", "--name", "{name}"),
            risk=Risk.DESTRUCTIVE,
            verify="az hybridaks show -g {resource_group} --name {name} wants a lastConnectivityTime",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=("hybrid.cluster_offline",),
    ask="az hybridaks show -g {resource_group} --name {name}",
)
