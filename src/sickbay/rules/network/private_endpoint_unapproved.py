from sickbay.model.ids import arm
from sickbay.model.naming import PrivateEndpoint
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

_SHUT = frozenset({"pending", "rejected", "disconnected"})


@each(PrivateEndpoint)
def waits_for_approval(endpoint: PrivateEndpoint, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    for connection in endpoint.connections:
        state = connection.private_link_service_connection_state
        status = (state and state.status) or ""
        if status.casefold() in _SHUT:
            target = arm(connection.private_link_service_id or "").name or "its target"
            return Match(
                f"the connection of private endpoint {endpoint.name} to {target} is {status}",
                facts={"state": status},
                cites=(endpoint.cite("privateLinkServiceConnectionState.status", status),),
            )
    return Clear(f"the connections of private endpoint {endpoint.name} are approved")


RULE = Rule(
    title="A private endpoint is not approved, so nothing passes through it (Pending, Rejected, Disconnected)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        waits_for_approval,
        Signature(
            pattern=r"(?i)(?:privateEndpoint\w*|privateLinkService\w*|private endpoint)\b.{0,600}?\"?status\"?: ?\"?(?P<state>Pending|Rejected|Disconnected)\b|private (?:endpoint|link(?: service)?) connection .{0,120}?\b(?:is|state:?|status:?|is in state) (?P<word>Pending|Rejected|Disconnected)\b|\"status\": ?\"(?P<first>Pending|Rejected|Disconnected)\".{0,300}?private ?(?:Endpoint|Link)",
            says="a private endpoint connection is not approved",
            sample='"privateLinkServiceConnectionState": {"actionsRequired": "None", "description": "Awaiting approval", "status": "Pending"}',
            near_miss='"privateLinkServiceConnectionState": {"status": "Approved"}',
            weight=TYPICAL,
        ),
    ),
    why="The owner of the resource must approve a connection of a private endpoint that was made in another subscription or by a foreign identity. Until then, or after a rejection, the address exists but carries no traffic.",
    remedy=(
        Step(
            "List the connections of the resource.",
            run=(
                "az",
                "network",
                "private-endpoint-connection",
                "list",
                "--id",
                "<resource-id>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Approve it.",
            run=(
                "az",
                "network",
                "private-endpoint-connection",
                "approve",
                "--id",
                "<connection-id>",
                "--description",
                "approved",
            ),
            risk=Risk.SAFE,
            verify="the state is Approved",
        ),
    ),
    leads_to=("network.connection_times_out",),
    docs=("https://learn.microsoft.com/azure/private-link/private-endpoint-overview",),
    ask="az network private-endpoint-connection list --id <resource-id> -o table",
)
