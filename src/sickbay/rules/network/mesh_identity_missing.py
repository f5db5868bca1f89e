from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A sidecar of the mesh gets no certificate, so it takes no traffic",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"Waiting for identity to be initialized|(?:ca|citadelclient|sds|xdsproxy)\b.{0,160}?(?:code = Unauthenticated|authentication failure)|[Ff]ailed to (?:sign|create) (?:CSR|certificate).{0,300}?(?:Unauthenticated|Unavailable|authentication)|ca request failed, starting attempt|linkerd-proxy failed to become ready within|Failed to (?:certify|obtain) identity|failed to (?:fetch|get|generate) (?:workload )?(?:cert|secret)\w* .{0,80}?(?:rpc error|from CA)|failed to warm certificates?: ",
            says="the proxy gets no certificate",
            sample="[    15.004651s]  WARN ThreadId(02) linkerd_app: Waiting for identity to be initialized...",
            near_miss="linkerd_app: Certified identity",
            weight=TYPICAL,
            ended_by=r"Certified identity|Envoy proxy is ready|SDS: PUSH",
            passes=True,
        ),
    ),
    why="Each proxy asks the identity service of its mesh for a certificate with its service account token. The service is not reachable or not resolvable, the token is refused, or the trust anchor has expired or changed.",
    remedy=(
        Step(
            "See that the control plane runs.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See until when trust anchor and issuer certificate are valid, and that clocks agree."
        ),
        Step("Restart the pods of the workload after the mesh was installed anew."),
    ),
    leads_to=(
        "network.connection_refused",
        "network.connection_times_out",
        "network.name_resolution_fails",
        "aks.mesh_control_plane_down",
        "kubernetes.lifecycle_hook_fails",
        "kubernetes.probe_bad_answer",
        "kubernetes.readiness_fails",
    ),
    docs=("https://istio.io/latest/docs/ops/common-problems/security-issues/",),
    ask="kubectl get pods -A -o wide",
)
