from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubelet does not accept the API server's credentials, so logs, exec and port-forward fail",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"the server has asked for the client to provide credentials \( ?pods/(?P<part>log|exec|attach|portforward) (?P<pod>[a-z0-9.-]{1,253})\)",
            says="{part} of {pod} is refused by the kubelet",
            sample="error: You must be logged in to the server (the server has asked for the client to provide credentials ( pods/log cart-7f9c6d-x2x4q))",
            near_miss="error: You must be logged in to the server (the server has asked for the client to provide credentials)",
        ),
        Signature(
            pattern=r"unable to upgrade connection: Unauthorized\b",
            says="a stream to a pod is refused by the kubelet",
            sample="error: error upgrading connection: unable to upgrade connection: Unauthorized",
            near_miss="error: error upgrading connection: unable to upgrade connection: Forbidden",
        ),
    ),
    why="The caller is signed in: the API server took the request and passed it on to the kubelet of the pod's node, and the kubelet answered 401. Its file of client authorities (--client-ca-file) lacks the one that signed the API server's client certificate, that certificate has expired, or the clock of the node is wrong. Nodes that joined from elsewhere, or outlived a rotation of the cluster's certificates, show it.",
    remedy=(
        Step(
            "See on which nodes it happens.",
            run=("kubectl", "get", "pods", "-A", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Reimage the node, which gives its kubelet the cluster's present authorities.",
            run=(
                "az",
                "vmss",
                "reimage",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--instance-id",
                "<instance>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl logs answers for a pod of that node",
        ),
        Step(
            "On a node that you manage yourself, let the kubelet use the authority of the cluster as clientCAFile, and restart it."
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/",
        "https://learn.microsoft.com/azure/aks/certificate-rotation",
    ),
    ask="kubectl get nodes -o wide",
)
