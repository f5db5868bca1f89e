from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The mesh lets only known hosts out, and there is no ServiceEntry for this one (BlackHoleCluster)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\bBlackHoleCluster\b",
            says="the sidecar dropped a request to a host that the mesh does not know",
            sample='[2026-11-11T10:00:00.000Z] "GET / HTTP/1.1" 502 - direct_response - "-" 0 0 0 - "-" "curl/8.4" "1f5e" "api.contoso.com" "-" - BlackHoleCluster 20.1.2.3:80 10.1.0.4:41234 - block_all',
            near_miss='[2026-11-11T10:00:00.000Z] "GET / HTTP/1.1" 200 - via_upstream - PassthroughCluster',
        ),
    ),
    why="With outboundTrafficPolicy REGISTRY_ONLY a sidecar sends to hosts of the mesh and of ServiceEntry resources only; everything else goes to the BlackHoleCluster (502, or a closed connection for TLS).",
    remedy=(
        Step(
            "See the entries.",
            run=(
                "kubectl",
                "get",
                "serviceentry",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add a ServiceEntry for the host, with resolution: DNS, location: MESH_EXTERNAL and the port and protocol that the program uses.",
            run=(
                "kubectl",
                "apply",
                "-f",
                "serviceentry.yaml",
            ),
            verify="the access log of the sidecar shows another cluster than BlackHoleCluster",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/istio-add-on-egress-gateway",
    ),
    leads_to=("network.connection_times_out",),
    ask="kubectl get serviceentry -A -o json",
)
