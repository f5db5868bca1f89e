from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Pods or nodes cannot reach the Kubernetes API server",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r'https://(?:kubernetes\.default[\w.]*|(?P<address>10\.\d+\.\d+\.1|172\.\d+\.\d+\.1|192\.168\.\d+\.1))(?::443)?/[^ "]{0,300}"?: (?:dial tcp [^ ]{3,60}(?: \d{1,4})?: (?:i/o timeout|connect: (?:connection (?:refused|timed out)|no route to host))|net/http: (?:TLS handshake timeout|request canceled)|EOF|context deadline exceeded)',
            says="a call from inside the cluster to the API server failed",
            sample='E0607 09:53:15.344324 1 reflector.go:138] Failed to watch *v1.Endpoints: Get "https://10.0.0.1:443/api/v1/endpoints?limit=500": dial tcp 10.0.0.1:443: i/o timeout',
            near_miss='Get "https://10.0.0.1:443/api/v1/endpoints?limit=500": 200 OK',
            weight=SYMPTOM,
            ended_by=r"Caches are synced|successfully acquired lease|plugin/ready: plugins ready|NOERROR qr,aa,rd",
        ),
        Signature(
            # Whatever name the server has: a list or watch of client-go goes to nobody else.
            pattern=r'[Ff]ailed to (?:list|watch) \*[\w.]{3,80}: .{0,120}?Get "?https://(?P<server>[\w.-]+)(?::\d+)?/apis?/[^ ]{1,500}: (?:dial tcp [^ ]{3,80}: (?:i/o timeout|connect: )|net/http: TLS handshake timeout|context deadline exceeded)',
            says="a controller or kubelet got no connection to the API server",
            sample="E0416 05:12:23.087223 890 reflector.go:125] k8s.io/kubernetes/pkg/kubelet/config/apiserver.go:47: Failed to list *v1.Pod: Get https://api.shop.example:6443/api/v1/pods?limit=500&resourceVersion=0: dial tcp 10.20.0.5:6443: connect: connection refused",
            near_miss="E0416 05:12:23.087223 890 reflector.go:125] Failed to list *v1.Pod: pods is forbidden",
            weight=SYMPTOM,
            unless=r"\.azmk8s\.io",
            ended_by=r"Caches are synced|successfully acquired lease|Successfully registered node|just became ready",
        ),
        Signature(
            pattern=r"(?:Error updating node status|[Uu]nable to update node status|[Ff]ailed to (?:update|ensure|renew) lease exists|Failed to update lease|Unable to register node with API server).{0,300}?(?:i/o timeout|context deadline exceeded|TLS handshake timeout|connection refused|no route to host|Client\.Timeout exceeded|EOF)",
            says="a kubelet could not reach the API server",
            sample='E0101 10:00:00.000000 1234 controller.go:195] "Failed to update lease" err="Put "https://10.224.0.4:443/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1": net/http: TLS handshake timeout"',
            near_miss='I0101 10:00:00.000000 1234 controller.go:195] "Successfully renewed lease" node="aks-np1-12345678-vmss000000"',
            weight=SYMPTOM,
            ended_by=r"Caches are synced|Successfully registered node|just became ready",
        ),
    ),
    why="Add-ons, operators and kubelets talk to the API server; a network policy, a firewall, a route, a name that does not resolve or a dead kube-proxy on the node can cut that way, and so can an API server that is down.",
    remedy=(
        Step(
            "Ask the API server from a pod.",
            run=(
                "kubectl",
                "run",
                "curl",
                "--image=mcr.microsoft.com/azure-cli",
                "--restart=Never",
                "-it",
                "--rm",
                "--",
                "curl",
                "-sk",
                "https://kubernetes.default.svc/livez",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "See whether the service of the API server has an endpoint.",
            run=("kubectl", "get", "endpointslices", "-n", "default"),
            risk=Risk.READ,
        ),
        Step("Allow port 443 to the API server in the policy, firewall or route that blocks it."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/architecture/operator-guides/aks/troubleshoot-network-aks",
        "https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",
    ),
    leads_to=(
        "kubernetes.kubelet_silent",
        "aks.api_server_unreachable",
    ),
)
