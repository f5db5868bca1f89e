from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An address of a pod is still held by another interface on its node (stale or duplicate endpoint)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"route \(Ifindex: \d+, Dst: (?P<address>[\d.:a-f]+)/\d+, Scope: \d+\) already exists for an interface other than|error adding host side routes for interface|(?i:duplicate HNS endpoints?)|[Aa]n endpoint with (?:the same )?(?:IP|address) .{0,60}?already exists|IP address (?P<ip>[\d.]+) (?:is already (?:in use|assigned|allocated) (?:by|to) (?:another )?(?:endpoint|pod|container|interface))|[Dd]uplicate (?:IP )?address (?P<other>[\d.]+) (?:detected|found)|arping: .{0,60}?duplicate address|networks have same bridge name",
            says="an address is in use twice on a node",
            sample="plugin type=\"calico\" failed (add): error adding host side routes for interface: cali123, error: route (Ifindex: 23, Dst: 10.244.1.5/32, Scope: 253) already exists for an interface other than 'cali123'",
            near_miss="added host side route for interface cali123",
            weight=TYPICAL,
        ),
    ),
    why="An ended pod has left its interface, route or HNS endpoint on the node, and its address was given to a new pod. The plugin refuses the new one, or both answer for the address and connections break at random.",
    remedy=(
        Step(
            "See which node it is.",
            run=(
                "kubectl",
                "get",
                "events",
                "-A",
                "--field-selector",
                "reason=FailedCreatePodSandBox",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Keep new pods away from the node, and drain it.",
            run=("kubectl", "drain", "<node>", "--ignore-daemonsets", "--delete-emptydir-data"),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Reimage or restart the node, which clears stale interfaces and endpoints.",
            run=(
                "az",
                "vmss",
                "reimage",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--instance-ids",
                "<id>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="new pods of the node are Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/architecture/operator-guides/aks/troubleshoot-network-aks",
    ),
    leads_to=(
        "network.cni_setup_fails",
        "kubernetes.container_creating_stuck",
        "kubernetes.windows_network_broken",
    ),
    ask="kubectl get events -A --field-selector reason=FailedCreatePodSandBox -o wide",
)
