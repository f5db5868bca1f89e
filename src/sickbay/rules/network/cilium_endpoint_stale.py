from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Cilium cannot write the datapath of a pod (endpoint regeneration failed), so its rules are stale",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Timed out waiting for datapath updates of FQDN IP information|Regeneration of endpoint failed|endpoint regeneration failed|generating BPF for endpoint failed|Restoring endpoint state after BPF regeneration failed|Unable to restore endpoint, ignoring|Error while (?:rewriting|reloading) endpoint BPF program|failed to (?:load|attach|compile) (?:BPF|eBPF|tc|XDP) (?:program|collection)|Failed to (?:load|compile) bpf_\w+\.[co]|error while initializing daemon.{0,200}?(?:datapath|bpf)|proxy state changes failed: context deadline exceeded",
            says="Cilium could not renew the datapath of a pod",
            sample='level=warning msg="Regeneration of endpoint failed" bpfCompilation=867ms endpointID=28572 error="Error while configuring proxy redirects: proxy state changes failed: context deadline exceeded" k8sPodName=shop/cart-1 subsys=endpoint',
            near_miss='level=info msg="Completed endpoint regeneration with no pending regeneration requests" endpointID=28572',
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The Cilium agent of a node turns services and policies into eBPF programs and maps, one set for each pod (endpoint). When compiling, loading or the wait for its proxy fails, the endpoint stays with its former state: new policies do not take effect, and new pods get no traffic.",
    remedy=(
        Step(
            "See the agents and their state.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
                "-l",
                "k8s-app=cilium",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Ask the agent of that node for its endpoints.",
            run=(
                "kubectl",
                "exec",
                "-n",
                "kube-system",
                "ds/cilium",
                "-c",
                "cilium-agent",
                "--",
                "cilium-dbg",
                "status",
                "--verbose",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Restart the agent of that node; it regenerates all endpoints.",
            run=("kubectl", "rollout", "restart", "daemonset/cilium", "-n", "kube-system"),
            risk=Risk.DISRUPTIVE,
            verify="cilium-dbg endpoint list shows every endpoint ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/azure-cni-powered-by-cilium",
        "https://docs.cilium.io/en/stable/operations/troubleshooting/",
    ),
    leads_to=("network.connection_times_out", "network.cni_setup_fails"),
    ask="kubectl exec -n kube-system ds/cilium -c cilium-agent -- cilium-dbg status --verbose",
)
