from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A kubelet has no serving certificate: its request (CSR) was not approved, so logs, exec and metrics fail",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"no serving certificate available for the kubelet",
            says="a kubelet waits for its certificate",
            sample="http: TLS handshake error from 10.1.1.1:1234: no serving certificate available for the kubelet",
            near_miss="csr-7x2kp   41m   kubernetes.io/kubelet-serving   system:node:worker-2   <none>   Approved,Issued",
        ),
        Signature(
            pattern=r"csr-\w+ \S+ kubernetes\.io/(?:kubelet-serving|kube-apiserver-client-kubelet) system:(?:node|bootstrap):\S+ (?:\S+ )?Pending\b|kubelet-serving.{0,120}?(?:Pending|Denied)\b",
            says="the request of a kubelet for its certificate waits for approval",
            sample="csr-7x2kp   41m   kubernetes.io/kubelet-serving   system:node:worker-2   <none>   Pending",
            near_miss="csr-7x2kp   41m   kubernetes.io/kubelet-serving   system:node:worker-2   <none>   Approved,Issued",
            weight=TYPICAL,
        ),
    ),
    why="With serverTLSBootstrap a kubelet asks for its serving certificate by a CertificateSigningRequest of kubernetes.io/kubelet-serving, which somebody must approve. Until then the port 10250 answers with a TLS internal error, and kubectl logs, exec and the metrics server fail for that node.",
    remedy=(
        Step(
            "See the requests that wait.",
            run=(
                "kubectl",
                "get",
                "csr",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Approve those that come from your nodes, or run an approver for them.",
            run=(
                "kubectl",
                "certificate",
                "approve",
                "<csr>",
            ),
            risk=Risk.SAFE,
            verify="kubectl logs works for pods of that node",
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/access-authn-authz/kubelet-tls-bootstrapping/",),
    leads_to=(
        "network.kubelet_unreachable",
        "kubernetes.served_api_down",
    ),
    ask="kubectl get csr",
)
