from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="istiod turns proxies away: more of them connect at once than it takes in a second (rate limit exceeded)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.SCALING),
    detect=(
        Signature(
            pattern=r"ResourceExhausted desc = request rate limit exceeded",
            says="istiod refused the stream of a proxy for want of room",
            sample="error xdsproxy upstream [6] error: rpc error: code = ResourceExhausted desc = request rate limit exceeded: rate: Wait(n=1) would exceed context deadline",
            near_miss="info xdsproxy connected to upstream XDS server: istiod.istio-system.svc:15012",
        ),
    ),
    why="istiod admits a number of new streams a second that grows with its CPU (`PILOT_MAX_REQUESTS_PER_SECOND`). After a restart of istiod, a large rollout or many new gateways all proxies come at once and are sent away; until their turn they serve old configuration, and new ones none (`no healthy upstream`).",
    remedy=(
        Step(
            "See how many istiod pods run and what they use.",
            run=("kubectl", "get", "hpa", "-A", "-l", "app=istiod"),
            risk=Risk.READ,
        ),
        Step(
            "Give istiod more replicas.",
            run=(
                "kubectl",
                "patch",
                "hpa",
                "<istiod-hpa>",
                "-n",
                "aks-istio-system",
                "--type=merge",
                "-p",
                '{"spec":{"minReplicas":4,"maxReplicas":8}}',
            ),
            risk=Risk.SAFE,
            verify="the log of a proxy says: connected to upstream XDS server",
        ),
        Step(
            "Send each proxy less: limit what istiod watches (`discoverySelectors` in the shared MeshConfig) and what a namespace sees (a Sidecar resource).",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/istio-scale",
        "https://istio.io/latest/docs/ops/deployment/performance-and-scalability/",
    ),
    leads_to=("aks.mesh_control_plane_down",),
    ask="kubectl get hpa -A -l app=istiod",
)
