from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The k3s server of an edge cluster does not start: its configuration, token or data do not fit",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)level=fatal msg=\W{0,3}(?:starting kubernetes|failed to (?:validate|start|bootstrap)|preparing server|(?:.{0,40})?token CA hash|etcd)|critical configuration value mismatch between servers|k3s\b.{0,60}?(?:Main process exited|Failed with result)|failed to normalize (?:server )?token; must be in format",
            says="k3s ends with a fatal error",
            sample='level=fatal msg="starting kubernetes: preparing server: critical configuration value mismatch between servers: cluster-cidr"',
            near_miss='level=info msg="Running kube-apiserver"',
            weight=TYPICAL,
        ),
    ),
    why="k3s ends with level=fatal when a server joins with other flags than the first (cluster-cidr, service-cidr, backend), with a wrong token, when its data store is damaged or an address it needs is missing. AKS Edge Essentials with k3s shows this in the journal of its Linux node.",
    remedy=(
        Step(
            "Read the journal of the node.",
            run=(
                "powershell",
                "-Command",
                "Invoke-AksEdgeNodeCommand -NodeType Linux -command 'sudo journalctl -u k3s --no-pager -n 100'",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give every server the same values and token as the first one, and start k3s or the deployment again.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants Ready",
        ),
    ),
    docs=(
        "https://docs.k3s.io/reference/flag-deprecation",
        "https://learn.microsoft.com/azure/aks/aksarc/aks-edge-resources-logs",
    ),
    ask="powershell -Command Get-AksEdgeLogs",
)
