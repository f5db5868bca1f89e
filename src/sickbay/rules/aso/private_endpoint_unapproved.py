from sickbay.model.aso import AsoObject
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


@each(AsoObject)
def connection_is_not_approved(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    connections = thing.status.manual_private_link_service_connections or ()
    for connection in connections:
        state = connection.private_link_service_connection_state
        status = (state and state.status) or ""
        if status and status.casefold() != "approved":
            return Match(
                f"connection {connection.name} of private endpoint {thing.name} is {status}, not Approved",
                cites=(
                    thing.cite(
                        "status.manualPrivateLinkServiceConnections[*].privateLinkServiceConnectionState.status",
                        status,
                    ),
                ),
            )
    return Clear(f"the connections of {thing.name} are approved") if connections else None


RULE = Rule(
    title="A private endpoint waits for its connection to be approved (PostReconciliationFailure)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        connection_is_not_approved,
        Signature(
            pattern=r"(?i)private (?:link|endpoint).{0,60}?connection.{0,80}?(?:is not (?:yet )?approved|not approved|awaiting approval|status (?:is )?\"?Pending)|private connection\(?s?\)? .{0,200}?requires? approval",
            says="a private endpoint connection is not approved",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: PostReconciliationFailure, Severity: Warning, RetryClassification: RetrySlow, Cause: Private connection(s) \'pe1\' to the PrivateEndpoint requires approval: private endpoint connection is not approved" logger="network_privateendpoint" name="pe1" namespace="default"',
            near_miss="private endpoint connection pe1 is approved",
            weight=TYPICAL,
        ),
    ),
    why="The private endpoint exists, but it asked for a manual connection, and the owner of the target has not approved it. ASO holds the object below Ready until the connection state is Approved.",
    remedy=(
        Step(
            "List the connections that wait on the target.",
            run=(
                "az",
                "network",
                "private-endpoint-connection",
                "list",
                "--id",
                "{subject}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Have the owner of the target approve the connection.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/private-link/manage-private-endpoint",),
    leads_to=("aso.not_ready",),
    ask="az network private-endpoint-connection list --id {subject} -o table",
)
