from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A pod was ended because its node was shut down (maintenance, scale-in, spot eviction)",
    severity=Severity.WARNING,
    categories=(
        Category.NODES,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Pod was (?:terminated in response to imminent node shutdown|rejected as the node is shutting down)|Node is shutting, evicting pods|Reason: NodeShutdown|Shutdown manager.{0,60}?shut ?down event|node is shutting down",
            says="the node was shut down",
            sample="Status: Failed Reason: Terminated Message: Pod was terminated in response to imminent node shutdown.",
            near_miss="Reason: Completed Message: Pod was terminated by its controller",
            weight=TYPICAL,
            # In a list of all pods, such records are left of nodes that were meant to go.
            channels=("describe",),
        ),
    ),
    why="On a graceful shutdown the kubelet ends its pods and leaves them as Failed (Terminated, NodeShutdown) or rejects new ones. The pods of a controller are made anew elsewhere; what is left are records that nobody deletes.",
    remedy=(
        Step(
            "See what happened to the node.",
            run=(
                "kubectl",
                "get",
                "events",
                "-A",
                "--field-selector",
                "involvedObject.kind=Node",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If the shutdown was meant, delete the records of the ended pods.",
            run=(
                "kubectl",
                "delete",
                "pods",
                "-A",
                "--field-selector",
                "status.phase=Failed",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "If not, see the activity log of the scale set for who stopped the machine, and whether it was a spot or maintenance event."
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/",),
    leads_to=("kubernetes.pod_failed",),
    ask="kubectl get events -A --field-selector involvedObject.kind=Node",
)
