from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A proxy (Envoy) rejects the configuration that its control plane sends, and keeps the last one that it took",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?:gRPC|delta) config for \S{5,120} rejected: (?P<reason>.{5,160})",
            says="Envoy refused what it was sent",
            sample="warning envoy config gRPC config for type.googleapis.com/envoy.config.listener.v3.Listener rejected: Error adding/updating listener(s) 0.0.0.0_443: duplicate listener 0.0.0.0_443 found",
            near_miss="info xdsproxy connected to upstream XDS server: istiod.istio-system.svc:15012",
        ),
        Signature(
            pattern=r"config received from XDS server, but was rejected|Internal:Error adding/updating (?:listener|cluster|route)",
            says="Envoy rejects its configuration",
            sample="warn Envoy proxy is NOT ready: config received from XDS server, but was rejected: cds updates: 1 successful, 0 rejected; lds updates: 0 successful, 1 rejected",
            near_miss="warn Envoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected",
            passes=True,
            ended_by=r"Envoy proxy is ready",
        ),
    ),
    why="The control plane turns Gateways, routes and EnvoyFilters into the configuration of each proxy, and the proxy checks it as a whole. Two listeners on one port, a certificate that is not valid, an expression or filter that this version does not know, and the whole update of that kind is refused: from then on no change arrives, and a restarted proxy has none at all.",
    remedy=(
        Step(
            "See all that makes listeners and filters of the proxies.",
            run=(
                "kubectl",
                "get",
                "gateways.networking.istio.io,envoyfilters.networking.istio.io",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the checker of Istio name the object: `istioctl analyze --all-namespaces`, and `istioctl proxy-status` for the proxies that are behind.",
        ),
        Step(
            "Mend or remove what the rejection names: the doubled port or host among the Gateways, the secret of the listener, or the EnvoyFilter.",
            verify="istioctl proxy-status wants SYNCED in every column",
        ),
    ),
    docs=(
        "https://istio.io/latest/docs/ops/diagnostic-tools/proxy-cmd/",
        "https://learn.microsoft.com/azure/aks/istio-about",
    ),
    leads_to=(
        "aks.mesh_control_plane_down",
        "network.mesh_route_missing",
        "kubernetes.readiness_fails",
        "kubernetes.probe_failed",
    ),
    ask="kubectl get gateways.networking.istio.io,envoyfilters.networking.istio.io -A -o yaml",
)
