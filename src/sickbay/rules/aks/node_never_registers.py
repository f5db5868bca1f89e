from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="New machines of a node pool never register: they start, but do not join the cluster as nodes",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.NODES),
    detect=(
        Signature(
            pattern=r"Removing unregistered node (?P<provider>azure:\S{1,400})|\bNodes added to group (?P<group>[\w.-]+) failed to register within \w+|\bScale-up timed out for node group (?P<timed>[\w.-]+)|\blongUnregistered=[1-9]\d*",
            says="a new machine[ of {group}] did not register as a node",
            sample="I0612 07:16:12.111311       1 static_autoscaler.go:741] Removing unregistered node azure:///subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/mc_shop/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np-11111111-vmss/virtualMachines/14",
            near_miss="W0612 07:01:12.111211       1 static_autoscaler.go:455] 1 unregistered nodes present",
            weight=TYPICAL,
        ),
    ),
    why="The cluster autoscaler asked for a machine and Azure made it, but no node with its provider id appeared within the provision time (15 minutes). Bootstrap failed on it, or firewall, route table, security group or DNS keep its kubelet from the API server. The autoscaler deletes the machine and tries again, so the pool grows and shrinks without a node.",
    remedy=(
        Step(
            "See how the bootstrap extension (vmssCSE) of the pool's machines ended.",
            run=(
                "az",
                "vmss",
                "list-instances",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--expand",
                "instanceView",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read the log of the bootstrap while the machine exists.",
            run=(
                "az",
                "vmss",
                "run-command",
                "invoke",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--instance-id",
                "<instance>",
                "--command-id",
                "RunShellScript",
                "--scripts",
                "tail -50 /var/log/azure/cluster-provision.log; journalctl -u kubelet -n 50 --no-pager",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the subnet of the pool reach the API server and the endpoints that AKS nodes require."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-custom-script-extension-errors",
        "https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",
    ),
    leads_to=("kubernetes.pod_pending", "aks.scale_up_failed"),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> --expand instanceView -o json",
)
