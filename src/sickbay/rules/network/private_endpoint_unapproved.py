from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A private endpoint is not approved, so nothing passes through it (Pending, Rejected, Disconnected)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
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
