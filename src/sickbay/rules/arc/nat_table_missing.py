from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The nodes lack the iptable_nat kernel module that the monitoring agent's token adapter needs",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"can't initialize iptables table .{0,2}nat\b",
            # That is a container without the right to ask, not a node without the table.
            unless=r"you must be root",
            says="the nat table of iptables is not there",
            sample="iptables v1.8.9 (legacy): can't initialize iptables table `nat': Table does not exist (do you need to insmod?)",
            near_miss="iptables v1.8.9 (legacy): table nat initialised",
        ),
    ),
    why="On RHEL and Oracle Linux 9 the module iptable_nat is not loaded, so that addon-token-adapter cannot make its iptables rules, and Container insights does not start.",
    remedy=(
        Step(
            "Load the module on every node, and name it in /etc/modules-load.d to keep it.",
            run=(
                "sudo",
                "modprobe",
                "iptable_nat",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Restart the agent.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "-n",
                "kube-system",
                "deployment/ama-logs-rs",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-monitor/containers/container-insights-troubleshoot",
    ),
)
