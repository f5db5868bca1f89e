from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubelet refuses a caller that has no right on its API (nodes/proxy, nodes/metrics; Forbidden)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"Forbidden \(user=(?P<user>[^,]{1,200}), verb=(?P<verb>\w+), resource=nodes, subresource=\[?(?P<part>[\w/, -]+)\]?\)",
            says="{user} may not {verb} nodes/{part}",
            sample="error: unable to upgrade connection: Forbidden (user=kube-apiserver-kubelet-client, verb=create, resource=nodes, subresource=proxy)",
            near_miss="unable to upgrade connection: container not found (web)",
        ),
    ),
    why="The kubelet asks the API server whether a caller may use its own API, as verbs on the parts of a node: proxy, metrics, stats, log. The client certificate of the API server (for logs and exec) or the service account of a monitoring program has no role for that.",
    remedy=(
        Step(
            "See what the caller may do.",
            run=(
                "kubectl",
                "auth",
                "can-i",
                "{verb}",
                "nodes",
                "--subresource={part}",
                "--as={user}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "For the API server bind the role system:kubelet-api-admin to its user; give a monitoring program a cluster role with get on that part of nodes.",
            run=(
                "kubectl",
                "create",
                "clusterrolebinding",
                "kubelet-api",
                "--clusterrole=system:kubelet-api-admin",
                "--user={user}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl logs and exec work again",
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/",),
    leads_to=("network.kubelet_unreachable",),
    ask="kubectl get clusterrolebindings -o wide",
)
