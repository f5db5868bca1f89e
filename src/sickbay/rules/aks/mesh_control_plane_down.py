from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(Deployment)
def has_no_pod_ready(plane: Deployment, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if plane.namespace != "aks-istio-system" or not plane.name.startswith("istiod"):
        return None
    wanted = plane.spec.replicas if plane.spec.replicas is not None else 1
    ready = plane.status.ready_replicas or 0
    if ready or not wanted:
        return Clear(f"{plane.name} has {ready} of {wanted} pods ready")
    return Match(
        f"{plane.name} has 0 of {wanted} pods ready",
        cites=(plane.cite("status.readyReplicas", ready),),
    )


RULE = Rule(
    title="istiod does not run, so sidecars and gateways of the mesh get no configuration",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        has_no_pod_ready,
        Signature(
            pattern=r"(?i)Envoy proxy is NOT ready: (?:config (?:not received from|not fully received).{0,60}?XDS|cds updates: 0 successful)|XDS client connection error: .{0,240}?(?:deadline has elapsed|refused|connect error)|is (?:Istiod|Pilot) running\?|(?:xds-grpc|StreamAggregatedResources).{0,200}?(?:connection refused|Error while dialing|connection failure|no healthy upstream|delayed connect error|reset reason: local reset)|:1501[027]\b.{0,60}?(?:connection refused|i/o timeout|no route to host)|istiod[\w.-]*\.(?:aks-)?istio-system\.svc.{0,200}?(?:connection refused|no such host|i/o timeout|context deadline)",
            says="a proxy gets no configuration from istiod",
            sample="warn Envoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected; lds updates: 0 successful, 0 rejected",
            near_miss="info Envoy proxy is ready",
            weight=TYPICAL,
            passes=True,
            ended_by=r"Envoy proxy is ready|Readiness succeeded in",
        ),
    ),
    why="Every proxy of the mesh fetches its configuration and certificate from istiod before it is ready; ingress gateways and injected pods wait while istiod is down, pending for lack of room, or stuck on a certificate of Key Vault.",
    remedy=(
        Step(
            "See the control plane.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "aks-istio-system",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what its pods say, then restart it.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "deployment",
                "-n",
                "aks-istio-system",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get deployment -n aks-istio-system wants READY",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/istio-add-on-ingress-gateway",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/istio-add-on-general-troubleshooting",
    ),
    leads_to=(
        "kubernetes.probe_failed",
        "kubernetes.rollout_stuck",
    ),
    ask="kubectl get deployments -n aks-istio-system -o json",
)
