from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubelet does not start: its saved CPU or memory manager state does not fit the node any more",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"(?i)could not restore state from checkpoint|delete the (?:CPU|memory) manager checkpoint file|(?P<manager>cpu|memory)_manager_state.{0,120}?(?:checkpoint|corrupt|invalid)|start (?:cpu|memory) manager error|configured policy .{1,40}? differs from state checkpoint policy",
            says="the state file of the kubelet does not fit",
            sample='"Failed to start ContainerManager" err="start cpu manager error: could not restore state from checkpoint: configured policy \\"static\\" differs from state checkpoint policy \\"none\\", please drain this node and delete the CPU manager checkpoint file \\"/var/lib/kubelet/cpu_manager_state\\" before restarting Kubelet"',
            near_miss='"Created state checkpoint" path="/var/lib/kubelet/cpu_manager_state"',
        ),
    ),
    why="The kubelet keeps which CPUs and memory it gave to whom in a file. After a change of the policy, of the machine size or of the reserved CPUs the file does not fit, and the kubelet ends rather than guess.",
    remedy=(
        Step(
            "Take the pods off the node.",
            run=(
                "kubectl",
                "drain",
                "<node>",
                "--ignore-daemonsets",
                "--delete-emptydir-data",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Delete the state file that is named and restart the kubelet, or put a fresh node in its place.",
            run=(
                "sudo",
                "systemctl",
                "restart",
                "kubelet",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants Ready",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/administer-cluster/cpu-management-policies/",),
    leads_to=(
        "kubernetes.kubelet_misconfigured",
        "kubernetes.node_not_ready",
        "kubernetes.kubelet_silent",
    ),
    ask="journalctl -u kubelet --no-pager -n 100",
)
