from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Node auto-repair could not reboot, reimage or redeploy a node",
    severity=Severity.WARNING,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"(?i)node auto-?repair (?P<action>reboot|reimage|redeploy) action failed|\bNode(?:Reboot|Reimage|Redeploy)Error\b|\bTooManyVMRedeploymentRequests\b",
            says="an automatic repair of a node failed",
            sample="Node auto-repair redeploy action failed due to an operation failure: TooManyVMRedeploymentRequests",
            near_miss="Node auto-repair reboot action completed successfully",
            weight=TYPICAL,
        ),
    ),
    why="AKS tries to reboot, then to reimage, then to redeploy a node that stays NotReady. The repair itself failed, so the node stays ill; the code behind the message says why, and the reason of the NotReady state is still to be found.",
    remedy=(
        Step(
            "See the repair events and why the node is not ready.",
            run=("kubectl", "get", "events", "-A", "--field-selector", "source=aks-auto-repair"),
            risk=Risk.READ,
        ),
        Step(
            "Replace the node by hand.",
            run=(
                "az",
                "aks",
                "nodepool",
                "delete-machines",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--machine-names",
                "{node}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants the pool's nodes Ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-auto-repair-errors",
    ),
    leads_to=("kubernetes.node_not_ready",),
    ask="kubectl describe node {node}",
)
