from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Calico plugin is refused by the API server: its token on the node is stale (Unauthorized)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"error getting ClusterInformation: connection is unauthorized(?:: Unauthorized)?|(?:Error getting cluster information config .{0,80}?|Failed to initialize Calico datastore )error=connection is unauthorized: Unauthorized|error getting ClusterInformation: .{0,200}?x509: |plugin type=\"(?P<plugin>calico|multus|multus-shim|istio-cni|linkerd-cni|cilium-cni|flannel|antrea|kube-router)\"(?: name=\S{1,80})? failed .{0,200}?(?:[Uu]nauth|Forbidden)",
            says="the Calico plugin is not allowed to ask the API server",
            sample='plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized',
            near_miss='plugin type="calico" failed (add): netplugin failed with no error message: signal: killed',
        ),
    ),
    why="The Calico plugin on the node uses a token that calico-node writes to /etc/cni/net.d. The token is no longer valid: calico-node does not renew it, its service account was made anew, or the clock of the node is wrong.",
    remedy=(
        Step(
            "Restart calico-node, which writes the token anew.",
            run=("kubectl", "rollout", "restart", "daemonset/calico-node", "-n", "calico-system"),
            risk=Risk.DISRUPTIVE,
            verify="new pods on {node} leave ContainerCreating",
        ),
        Step("If it comes back, compare the clock of the node with the right time."),
    ),
    docs=("https://docs.tigera.io/calico/latest/operations/troubleshoot/troubleshooting",),
    leads_to=("kubernetes.container_creating_stuck",),
    ask="kubectl logs -n calico-system daemonset/calico-node --tail=50",
)
