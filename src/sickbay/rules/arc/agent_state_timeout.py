from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Arc agents did not report a final agent state after an update in time",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Timed out waiting for (?:the Azure Arc )?Agent State|\bAZK8S0506\b",
            says="the agents reported no final state",
            sample="Timed out waiting for Agent State to reach terminal state.",
            near_miss="Agent State reached terminal state Succeeded",
            weight=TYPICAL,
        ),
    ),
    why="After an update the agents report an agent state (Succeeded or Failed) to Azure. Timed out waiting for Agent State means that they did not report: they do not run, or their way to Azure is blocked.",
    remedy=(
        Step(
            "See what they said last.",
            run=(
                "az",
                "connectedk8s",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "arcAgentProfile",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See the agents.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "azure-arc",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend the agents or their way to Azure, then repeat the update.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",),
    ask="az connectedk8s show -g {resource_group} -n {cluster} --query arcAgentProfile",
)
