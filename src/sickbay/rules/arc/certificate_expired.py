from sickbay.model.arc import ConnectedCluster
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ConnectedCluster)
def has_expired(cluster: ConnectedCluster, snapshot: Snapshot) -> Match | Clear | None:
    end = cluster.managed_identity_certificate_expiration_time
    if cluster.connectivity == "expired":
        return Match(
            f"the certificate of {cluster.name} has expired"
            + (f" at {end}" if end else "; Azure shows the cluster as Expired"),
            facts={"cluster": cluster.name},
            cites=(cluster.cite("properties.connectivityStatus", cluster.connectivity_status),),
        )
    last = cluster.last_connectivity_time or ""
    # The heartbeat of another cluster tells that the evidence was saved after that time.
    saved = max(one.last_connectivity_time or "" for one in snapshot.some(ConnectedCluster))
    if cluster.connectivity == "offline" and end and end < max(last, saved):
        return Match(
            f"the certificate of {cluster.name} expired at {end}, "
            + ("before its last heartbeat" if end < last else f"and it was offline by {saved}"),
            facts={"cluster": cluster.name},
            cites=(cluster.cite("properties.managedIdentityCertificateExpirationTime", end),),
        )
    return Clear(f"{cluster.name} is {cluster.connectivity_status or 'of unknown connectivity'}")


RULE = Rule(
    title="The managed identity certificate of the connected cluster has expired",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.IDENTITY,
    ),
    detect=(
        has_expired,
        Signature(
            pattern=r"(?i)(?:MSI|managed identity|the identity) certificate (?:has |is |was )?(?:already )?expired|connectivity status is not connected\. The current state of the cluster is ?: ?Expired\b|connectivity ?status(?: is| shows| says|:)?\W{1,6}Expired\b",
            says="the certificate of the managed identity has expired",
            sample="Error: Your MSI certificate has expired. To resolve this issue you can delete the connected cluster and reconnect it to azure arc.",
            near_miss="Your MSI certificate is valid until 2027-01-01",
        ),
    ),
    why="The agents renew the MSI certificate between its 46th and 90th day. A cluster that was offline during that time comes back with an expired certificate (connectivityStatus Expired), which cannot be renewed: the cluster has to be deleted from Arc and reconnected.",
    remedy=(
        Step(
            "See when it expired.",
            run=(
                "az",
                "connectedk8s",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "managedIdentityCertificateExpirationTime",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the connection.",
            run=(
                "az",
                "connectedk8s",
                "delete",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Connect the cluster again, and create its extensions and configurations anew.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.DISRUPTIVE,
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
    ),
)
