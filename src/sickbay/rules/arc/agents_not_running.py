from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Arc agent pods are not running in the cluster",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)One or more Azure Arc agents are not in running state|agents? (?:are|is) not fully running",
            says="agents do not run",
            sample="Error: One or more Azure Arc agents are not in running state. It may be caused due to insufficient resource availability on the cluster.",
            near_miss="All Azure Arc agents are in running state",
            weight=TYPICAL,
        ),
    ),
    why="One or more Azure Arc agent pods in the namespace azure-arc are not running and ready, mostly for lack of memory and CPU on the nodes, and otherwise for what their own events and logs say.",
    remedy=(
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
            "Read the events.",
            run=(
                "kubectl",
                "get",
                "events",
                "-n",
                "azure-arc",
                "--sort-by=.lastTimestamp",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Free or add resources (850 MB of memory, 7 % of a CPU), or mend what the events say.",
            verify="kubectl get pods -n azure-arc wants all Running and ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/diagnose-connection-issues",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
    leads_to=("arc.agent_offline",),
    ask="kubectl get pods -n azure-arc -o wide",
)
