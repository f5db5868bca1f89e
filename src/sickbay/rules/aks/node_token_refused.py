from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A node cannot register: the API server refuses its bootstrap token or certificate (Unauthorized)",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.SCALING),
    detect=(
        Signature(
            pattern=r"Unable to register node .{0,120}?with API server.{0,40}?Unauthorized|waiting for CSINode publishing: Unauthorized|[Ff]ailed while requesting a signed certificate from the (?:master|control plane): cannot create certificate signing request: Unauthorized|failed to run Kubelet: cannot create certificate signing request: Unauthorized",
            says="the API server does not accept the credential of the kubelet",
            sample='kubelet[5465]: E0710 11:23:29.723943 5465 kubelet_node_status.go:92] "Unable to register node with API server" err="Unauthorized" node="aks-general-purpose-cr67n"',
            near_miss='kubelet[5465]: E0710 11:23:29.723943 5465 kubelet_node_status.go:92] "Unable to register node with API server" err="connection refused" node="aks-general-purpose-cr67n"',
            weight=TYPICAL,
        ),
    ),
    why="A new node signs in with a bootstrap token, and asks for a client certificate with it. The token that its bootstrap carries has expired or was renewed (a self-hosted Karpenter keeps a copy in its settings, which nobody renews), or the certificate of an older node is no longer valid, as after a rotation or a long stop. The machine runs, bootstrap may even report success, and the node never appears.",
    remedy=(
        Step(
            "See the bootstrap tokens of the cluster and when they end.",
            run=(
                "kubectl",
                "get",
                "secrets",
                "-n",
                "kube-system",
                "--field-selector",
                "type=bootstrap.kubernetes.io/token",
            ),
            risk=Risk.READ,
        ),
        Step(
            "A self-hosted Karpenter: put the current token into its settings (KUBELET_BOOTSTRAP_TOKEN), and restart it; or use node auto-provisioning of AKS, which renews it.",
            risk=Risk.SAFE,
        ),
        Step(
            "A node pool or node auto-provisioning of AKS: reconcile the cluster, so that new machines get the current token.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants the new node Ready",
        ),
        Step("A node that was well before: reimage its machine."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/certificate-rotation",
        "https://kubernetes.io/docs/reference/access-authn-authz/kubelet-tls-bootstrapping/",
    ),
    leads_to=(
        "aks.node_claim_unregistered",
        "aks.node_never_registers",
        "kubernetes.node_not_ready",
    ),
    ask="az vmss run-command invoke -g {node_resource_group} -n <scale-set> --instance-id <instance> --command-id RunShellScript --scripts 'journalctl -u kubelet -n 50 --no-pager'",
)
