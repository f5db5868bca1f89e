from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The owner database server is not Ready, so nothing below it can be created or changed",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\b(?P<code>VirtualEndpointOwnerServerNotInReadyState|AadAuthOperationCannotBePerformedWhenServerIsNotAccessible)\b(?:.{0,40}?Server '?(?P<server>[\w.-]+))?|Server '?(?P<named>[\w.-]+)'? should be in Ready state|\b(?:ServerStopped\w*|ServerIsStopped|InvalidServerState)\b|\bServerStateNotReady\b|\bServerIsNotReady\b|can only be performed on Started servers|server is in (?:a |the )?'?(?:Stopped|Stopping|Starting|Disabled|Inaccessible)'? state|(?:not allowed|cannot be performed|not supported) (?:while|when|as|because|since) (?:the )?server (?:'[\w.-]+' )?is (?:stopped|in (?:a )?stopped state|not running)",
            says="the server {server} is not Ready ({code})",
            sample='VirtualEndpointOwnerServerNotInReadyState: Server server1 should be in Ready state to create/update/drop virtual endpoint"',
            near_miss="Server server1 is in Ready state",
        ),
    ),
    why="PostgreSQL and SQL servers refuse operations on what belongs to them unless the server itself is up: VirtualEndpointOwnerServerNotInReadyState for a virtual endpoint, AadAuthOperationCannotBePerformedWhenServerIsNotAccessible (server not accessible) for a Microsoft Entra administrator. The server is still being created, stopped, or in an update.",
    remedy=(
        Step(
            "See the state of the server.",
            run=(
                "az",
                "postgres",
                "flexible-server",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{server}",
                "--query",
                "state",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait until it is Ready, or start it; ASO tries again by itself.",
            run=(
                "az",
                "postgres",
                "flexible-server",
                "start",
                "-g",
                "{resource_group}",
                "-n",
                "{server}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az postgres flexible-server show -g {resource_group} -n {server} --query state wants Ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/postgresql/flexible-server/how-to-server-reads-virtual-endpoints",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=("aso.not_ready",),
    ask="az postgres flexible-server show -g {resource_group} -n {server} --query state -o tsv",
)
