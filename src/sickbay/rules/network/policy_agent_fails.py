from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure Network Policy Manager (azure-npm) cannot write its ipset or iptables rules on a node",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bazure-npm-[a-z0-9]+ \d/\d (?:CrashLoopBackOff|Error)\b|\bazure-npm\b.{0,200}?failed to (?:apply|set|add|create|destroy|sync|update|reset)|There was an error running command: \[(?P<command>ip(?:set|tables)) .{0,400}?Stderr: \[exit status|failed to run command \[(?:ipset|iptables)[\w -]*\]|ipset v[\d.]+: (?:Error in line|Syntax error|Set cannot be (?:destroyed|created)|Hash is full|The set with the given name)|Operation \[\w+\] failed with error code \[\d+\]|failed to set IsNewNwPolicyVerFlag|error: failed to (?:apply|reset) (?:ipset|ipsets|dataplane)",
            says="azure-npm fails to write rules",
            sample="2021/04/23 07:06:04 [1] Error: There was an error running command: [ipset -X -exist azure-npm-784554818] Stderr: [exit status 1, ipset v7.5: Set cannot be destroyed: it is in use by a kernel component]",
            near_miss="2021/04/23 07:06:04 [1] azure-npm is running",
            weight=TYPICAL,
        ),
    ),
    why="azure-npm turns network policies into ipsets and iptables rules on each node. When the kernel refuses a set (in use, full, of another type) or a chain, the agent restarts or leaves half of the rules: traffic that a policy allows is dropped, or the reverse.",
    remedy=(
        Step(
            "See the agent on each node, and its log.",
            run=("kubectl", "logs", "-n", "kube-system", "-l", "k8s-app=azure-npm", "--tail=100"),
            risk=Risk.READ,
        ),
        Step(
            "Restart it: it writes all rules anew. Restart the node where sets stay in use by the kernel.",
            run=("kubectl", "rollout", "restart", "daemonset/azure-npm", "-n", "kube-system"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n kube-system -l k8s-app=azure-npm wants Running",
        ),
        Step(
            "Azure NPM is on its way out (end of support 2026 on Windows, 2028 on Linux): move the cluster to Cilium as its policy engine.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--network-dataplane",
                "cilium",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/use-network-policies",
        "https://learn.microsoft.com/azure/aks/migrate-from-npm-to-cilium-network-policy",
    ),
    leads_to=("network.connection_times_out", "kubernetes.crash_loop"),
    ask="kubectl logs -n kube-system -l k8s-app=azure-npm --tail=100",
)
