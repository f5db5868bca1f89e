from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The certificates of the cluster have expired, so the API server and the kubelets refuse each other",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:kubelet|azmk8s\.io|kube-apiserver|node lease|apiserver\.crt|/etc/kubernetes/certs).{0,400}?x509: certificate has expired or is not yet valid(?:: current time (?P<now>\S+) is after (?P<end>[\w:.-]+\w))?|cluster certificates? (?:has |have )?expired\b|(?:current )?certificates? (?:is|are|has|have) expired, please rotate|please rotate (?:the )?certificates?\b.{0,80}?certificate-rotation|part of the existing bootstrap client certificate .{0,60}?is expired|currently active client certificate has expired",
            says="a certificate between nodes and API server has expired",
            sample='kubelet[2131]: E0501 10:00:00.100000 2131 reflector.go:138] failed to list *v1.Node: Get "https://shop-dns.hcp.westeurope.azmk8s.io:443/api/v1/nodes": x509: certificate has expired or is not yet valid: current time 2024-05-01T10:00:00Z is after 2024-04-30T09:00:00Z',
            near_miss='kubelet[2131]: Get "https://shop-dns.hcp.westeurope.azmk8s.io:443/api/v1/nodes": x509: certificate signed by unknown authority',
            unless=r"is before \d{4}-",
        ),
        Signature(
            pattern=r"pkg/kubelet/\S{1,80}: Failed to (?:list|watch) \*v1\.\w+: (?:failed to list \*v1\.\w+: )?Unauthorized|error getting node .{0,80}?: Unauthorized",
            says="the client certificate of the kubelet is not accepted any more",
            sample="reflector.go:125] k8s.io/kubernetes/pkg/kubelet/config/apiserver.go:47: Failed to list *v1.Pod: Unauthorized",
            near_miss="reflector.go:125] k8s.io/kubernetes/pkg/kubelet/config/apiserver.go:47: Failed to list *v1.Pod: i/o timeout",
            weight=TYPICAL,
        ),
    ),
    why="Certificates of an AKS cluster without automatic rotation end after two years. From that moment kubelets cannot report, all nodes turn NotReady and the API server answers `x509: certificate has expired`. A node image upgrade does not renew them; rotation does.",
    remedy=(
        Step(
            "See when the certificate on a node ends.",
            run=(
                "az",
                "vmss",
                "run-command",
                "invoke",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--instance-id",
                "0",
                "--command-id",
                "RunShellScript",
                "--scripts",
                "openssl x509 -in /etc/kubernetes/certs/apiserver.crt -noout -enddate",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Rotate the certificates; all nodes are made anew, with up to half an hour of downtime.",
            run=(
                "az",
                "aks",
                "rotate-certs",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants all nodes Ready",
        ),
        Step(
            "Fetch the kubeconfig again.",
            run=(
                "az",
                "aks",
                "get-credentials",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--overwrite-existing",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-expired-certificates",
        "https://learn.microsoft.com/azure/aks/certificate-rotation",
    ),
    leads_to=(
        "aks.node_token_refused",
        "kubernetes.certificate_expired",
        "kubernetes.node_not_ready",
        "kubernetes.kubelet_silent",
    ),
    ask="az vmss run-command invoke -g {node_resource_group} -n <scale-set> --instance-id 0 --command-id RunShellScript --scripts 'openssl x509 -in /etc/kubernetes/certs/apiserver.crt -noout -enddate'",
    spreads=True,
)
