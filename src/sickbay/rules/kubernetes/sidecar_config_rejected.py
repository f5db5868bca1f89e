from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Envoy rejects the configuration that the mesh or gateway sends it, so the proxy is not ready or out of date",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"config received from XDS server, but was rejected|gRPC config for type\.googleapis\.com/\S{1,120} rejected: (?P<reason>.{3,200})|Internal:Error adding/updating (?:listener|cluster|route)",
            says="Envoy rejects its configuration[: {reason}]",
            sample="warn Envoy proxy is NOT ready: config received from XDS server, but was rejected: cds updates: 1 successful, 0 rejected; lds updates: 0 successful, 1 rejected",
            near_miss="warn Envoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected",
            passes=True,
            ended_by=r"Envoy proxy is ready",
        ),
    ),
    why="The control plane made a listener, cluster or route that the proxy does not accept: an EnvoyFilter or extension that does not fit its version, a duplicate host or port, a certificate that cannot be read, or a control plane of another release than the proxies. What was rejected is not used.",
    remedy=(
        Step(
            "Read which object of which proxy is rejected, and why.",
            run=(
                "kubectl",
                "logs",
                "{pod}",
                "-n",
                "{namespace}",
                "-c",
                "istio-proxy",
                "--tail=200",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See what was added to the configuration by hand, and compare the versions of proxies and control plane (istioctl analyze, istioctl proxy-status).",
            run=("kubectl", "get", "envoyfilters", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the object that the reason names, or restart the pods, so that proxy and control plane are of one release.",
            risk=Risk.DISRUPTIVE,
            verify="the proxy logs that it is ready",
        ),
    ),
    docs=("https://istio.io/latest/docs/ops/diagnostic-tools/proxy-cmd/",),
    leads_to=(
        "kubernetes.readiness_fails",
        "kubernetes.probe_failed",
    ),
    ask="kubectl logs {pod} -n {namespace} -c istio-proxy --tail=200",
)
