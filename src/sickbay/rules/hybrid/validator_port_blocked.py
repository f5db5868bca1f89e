from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The validation of Azure Local finds port 80 or 443 closed to the internet (MOCStack network port)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)MOCStack mandatory network port is currently disabled|AzStackHci_MOCStack_Network_Port.{0,800}?\bFAILURE\b",
            says="outbound port 80 or 443 is closed",
            sample="MOCStack requirements not met. Review output and remediate. MOCStack mandatory network port is currently disabled.",
            near_miss="MOCStack mandatory network port is enabled.",
        ),
    ),
    why="The validator opens connections from the node to internetbeacon.msedge.net on ports 80 and 443. A firewall on the way does not let them out, although this host is not on the list of required endpoints.",
    remedy=(
        Step(
            "Try it on the node.",
            run=(
                "Test-NetConnection",
                "internetbeacon.msedge.net",
                "-Port",
                "443",
            ),
            risk=Risk.READ,
            verify="TcpTestSucceeded wants True",
        ),
        Step(
            "Allow internetbeacon.msedge.net on 80 and 443 from the nodes, and validate again.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/concepts/firewall-requirements",),
)
