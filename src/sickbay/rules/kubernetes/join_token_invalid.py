from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A node cannot join: its bootstrap token is expired or unknown to the cluster (kubeadm join)",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"could not find a JWS signature in the cluster-info ConfigMap|token id \S{1,20} is invalid for this cluster or it has expired|couldn.t validate the identity of the API Server|cluster CA found in cluster-info ConfigMap is invalid: none of the public keys|failed to (?:verify|load) JWS signature|invalid discovery token CA certificate hash",
            says="the bootstrap token was not accepted",
            sample='error execution phase preflight: couldn\'t validate the identity of the API Server: could not find a JWS signature in the cluster-info ConfigMap for token ID "abcdef"',
            unless=r"API Server: .{0,300}?(?:connection refused|Client\.Timeout|i/o timeout|no route to host|connection timed out|no such host|network is unreachable|context deadline|EOF)",
            near_miss="[discovery] Successfully established connection with API Server",
        ),
    ),
    why="A bootstrap token is valid for 24 hours by default and is kept as a secret in kube-system. A node that comes later, or with the token or CA hash of another cluster, finds no signature for it in cluster-info and stops before it registers.",
    remedy=(
        Step(
            "Make a new token on the control plane, and join with the command that it prints (kubeadm token create --print-join-command).",
            risk=Risk.SAFE,
            verify="kubectl get nodes shows the node",
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-token/",),
    ask="kubectl get secrets -n kube-system --field-selector type=bootstrap.kubernetes.io/token",
)
