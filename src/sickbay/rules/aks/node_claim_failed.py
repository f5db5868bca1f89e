from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Node auto-provisioning (Karpenter) could not launch a machine for a NodeClaim",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.NODES),
    detect=(
        Signature(
            pattern=r"\bReason: LaunchFailed\b|reason\"?[:=] ?\"?LaunchFailed\b|launching (?:node ?claim|machine), creating (?:instance|machine)|(?i:creating instance,? (?:failed|creating|getting|resolving))|(?i:failed (?:to launch|launching) (?:node ?claim|instance))|creating AKS machine|\b[Rr]eason\W{1,4}NotLaunched\b|InsufficientCapacityError\b",
            says="a machine of node auto-provisioning was not launched",
            sample="Message: creating instance, failed to get next loadbalancer page: GET https://management.azure.com/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/loadBalancers Reason: LaunchFailed Status: False Type: Launched",
            near_miss="Message: Reason: Launched Status: True Type: Launched",
            weight=SYMPTOM,
            unless=r"(?i)\baws\b|ec2|amazon|eks\b",
        ),
    ),
    why="Karpenter asks Azure for network interface, machine and extensions of each NodeClaim; Azure, or the way to it, refused one of them. The message of the condition `Launched` holds the error, often cut short; the log of the controller has it whole.",
    remedy=(
        Step(
            "Read the whole message of the claim.",
            run=("kubectl", "get", "nodeclaims", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Look for what Azure refused at that time.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "-g",
                "{node_resource_group}",
                "--status",
                "Failed",
                "--offset",
                "1d",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-node-auto-provision",
    ),
    leads_to=("kubernetes.pod_pending",),
    ask="kubectl get nodeclaims -o yaml",
)
