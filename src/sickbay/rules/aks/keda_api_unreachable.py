from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="KEDA cannot reach the API server: a firewall cuts its connections (EOF)",
    severity=Severity.ERROR,
    categories=(
        Category.SCALING,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"keda.{0,200}?(?:Failed to get API Group-Resources|unable to (?:create|start) manager|failed to (?:list|get) .{0,40}?ScaledObject).{0,300}?(?:EOF|i/o timeout|connection refused|connection reset|context deadline)",
            says="KEDA got no answer from the API server",
            sample='E0607 09:53:15.344324 1 logr.go:279] keda_metrics_adapter "msg"="Failed to get API Group-Resources" "error"="Get \\"https://10.0.0.1:443/api?timeout=32s\\": EOF"',
            near_miss='I0607 09:53:05.297924 1 main.go:147] keda_metrics_adapter "msg"="KEDA Version: 2.7.1"',
            passes=True,
        ),
    ),
    why="KEDA lists the API groups when it starts; an EOF from the address of the kubernetes service means that something between node and API server ends the connection, mostly a firewall without the rules that AKS needs.",
    remedy=(
        Step(
            "See its log.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "deploy/keda-operator",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the required egress of AKS (the FQDN of the API server on 443, and 1194 UDP or 9000 TCP for older clusters) in the firewall.",
            verify="kubectl get pods -n kube-system -l app.kubernetes.io/name=keda-operator wants Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-kubernetes-event-driven-autoscaling-add-on",
        "https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",
    ),
    leads_to=("network.api_timeout",),
    ask="kubectl logs -n kube-system deploy/keda-operator",
)
