from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A node of Azure Local does not answer an operation that Azure sent it",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"\bArcOperationTimedOut\b|(?i:No updates received from device for operation)",
            says="no answer came from the node",
            sample="ArcOperationTimedOut: OperationTimeout , No updates received from device for operation: [providers/microsoft.azurestackhci/locations/EASTUS/operationStatuses/98438b4f] beyond timeout of [600000] ms",
            near_miss="Updates received from device for operation: [providers/microsoft.azurestackhci/locations/EASTUS/operationStatuses/98438b4f]",
            weight=TYPICAL,
        ),
    ),
    why="Azure hands validation, deployment and updates to the nodes through their Arc agents and extensions. The node is off, its agent is disconnected, or the extension for device management does not run, so that no answer arrives within ten minutes.",
    remedy=(
        Step(
            "See whether the node is connected.",
            run=(
                "az",
                "connectedmachine",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "<node>",
                "--query",
                "[status,lastStatusChange]",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See its extensions.",
            run=(
                "az",
                "connectedmachine",
                "extension",
                "list",
                "-g",
                "{resource_group}",
                "--machine-name",
                "<node>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "On the node, look at the agent and restart what is stopped.",
            run=(
                "powershell",
                "-Command",
                "azcmagent show",
            ),
            risk=Risk.READ,
            verify="the agent status wants Connected",
        ),
        Step(
            "Repeat the operation.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-local/deploy/deployment-arc-register-server-permissions",
    ),
    ask="az connectedmachine show -g {resource_group} -n <node>",
)
