from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A machine of node auto-provisioning (Karpenter) runs but never joins the cluster as a node",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.NODES),
    detect=(
        Signature(
            pattern=r"\bNode not registered with cluster\b|(?i:terminating due to registration ttl)|(?i:nodeclaim\b.{0,120}?(?:registration|liveness) (?:ttl|timeout|timed out))|\bNodeRegistrationHealthy=False\b|\bRegistrationFailed\b.{0,200}?(?i:nodeclaim|karpenter|nodepool)",
            says="the machine of a NodeClaim did not register as a node",
            sample="Message: Node not registered with cluster Reason: NodeNotFound Status: Unknown Type: Registered",
            near_miss="Message: Reason: Registered Status: True Type: Registered",
            weight=TYPICAL,
        ),
    ),
    why="The machine was made, but its kubelet never reached the API server: bootstrap failed, or firewall, route table, security group or DNS of its subnet keep it from the cluster. Karpenter gives it 15 minutes, deletes it and tries again.",
    remedy=(
        Step(
            "Read the conditions of the claim.",
            run=("kubectl", "describe", "nodeclaims"),
            risk=Risk.READ,
        ),
        Step(
            "Look at the log of the bootstrap while the machine exists.",
            run=(
                "az",
                "vm",
                "run-command",
                "invoke",
                "-g",
                "{node_resource_group}",
                "-n",
                "<machine>",
                "--command-id",
                "RunShellScript",
                "--scripts",
                "tail -50 /var/log/azure/cluster-provision.log",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the subnet of the AKSNodeClass reach the API server and the endpoints that AKS nodes require."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-node-auto-provision",
        "https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",
    ),
    leads_to=("kubernetes.pod_pending",),
    ask="kubectl describe nodeclaims",
)
