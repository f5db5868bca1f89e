from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A table of Cilium in the kernel is full (BPF map), so allowed traffic is dropped",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:policy|bpf|ct|nat|ipcache|lb\w*) ?map .{0,60}?(?:is full|exceeds the (?:policy )?map max entries)|Policy Map exceeds|Unable to update (?:element|map)\b.{0,160}?(?:argument list too long|no space left on device)|update\w* .{0,60}?map.{0,160}?(?:argument list too long|key too big for map)",
            says="a table of Cilium has no room left",
            sample='level=warning msg="Update of l4 policy map failed" endpointID=37420 error="Unable to update element: argument list too long" policyID=1541',
            near_miss='level=info msg="policy map pressure" map=cilium_policy_37420 pressure=0.1',
            weight=TYPICAL,
        ),
    ),
    why="Cilium keeps policies, connections and addresses in tables of a fixed size (BPF maps). Policies by FQDN or wide selectors, or very many connections, fill them; what no longer fits is dropped although a policy allows it, or new pods fail to start.",
    remedy=(
        Step(
            "See how full the tables are.",
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
                "metrics",
                "list",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make policies that select fewer peers or names (CIDR instead of many FQDN answers), and let programs reuse connections.",
        ),
        Step(
            "On a node with less memory the tables are smaller: use larger nodes for such pods.",
            verify="the metric cilium_bpf_map_pressure is below 0.9",
        ),
    ),
    docs=(
        "https://docs.cilium.io/en/stable/network/ebpf/maps/",
        "https://learn.microsoft.com/azure/aks/azure-cni-powered-by-cilium",
    ),
    leads_to=(
        "network.connection_times_out",
        "network.cilium_endpoint_stale",
        "network.policy_drops",
    ),
    ask="kubectl exec -n kube-system ds/cilium -c cilium-agent -- cilium-dbg metrics list",
)
