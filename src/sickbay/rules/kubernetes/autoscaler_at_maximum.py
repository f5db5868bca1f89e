from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import HorizontalPodAutoscaler
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


@each(HorizontalPodAutoscaler)
def wants_more_than_it_may(
    scaler: HorizontalPodAutoscaler,
    snapshot: Snapshot,  # noqa: ARG001
) -> Match | Clear | None:
    limited = scaler.condition("ScalingLimited")
    if limited is None or not limited.is_true or limited.reason != "TooManyReplicas":
        return Clear(f"autoscaler {scaler.namespace}/{scaler.name} is not at its maximum")
    return Match(
        f"autoscaler {scaler.namespace}/{scaler.name} wants more than its maximum of {scaler.spec.max_replicas} replicas",
        facts={"autoscaler": scaler.name},
        cites=(scaler.cite("status.conditions[ScalingLimited].reason", limited.reason),),
        at=limited.last_transition_time or "",
    )


RULE = Rule(
    title="An autoscaler (HPA) has reached its maximum of replicas, and the pods are still out of CPU or memory",
    severity=Severity.WARNING,
    categories=(Category.SCALING,),
    detect=(
        wants_more_than_it_may,
        Signature(
            pattern=r"Deployment/(?P<deployment>[\w.-]+) (?:cpu: |memory: )?(?:[1-9]\d{2,}|9\d)%/\d{1,2}%|the desired replica count is more than the maximum replica count",
            says="an autoscaler is at its limit",
            sample="NAME REFERENCE TARGETS MINPODS MAXPODS REPLICAS AGE\nnginx   Deployment/nginx   cpu: 133%/70%   1   2   2   80m",
            near_miss="NAME REFERENCE TARGETS MINPODS MAXPODS REPLICAS AGE\nnginx   Deployment/nginx   cpu: 43%/70%   1   2   1   80m",
            weight=TYPICAL,
        ),
    ),
    why="The horizontal pod autoscaler may not go above maxReplicas, so the pods (for example of the managed NGINX ingress) stay above their CPU or memory target and answer slowly.",
    remedy=(
        Step(
            "See target, use and maximum.",
            run=("kubectl", "get", "hpa", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Raise maxReplicas (for the managed ingress in its NginxIngressController), and see that nodes have room.",
            run=(
                "kubectl",
                "patch",
                "hpa",
                "<name>",
                "-n",
                "{namespace}",
                "-p",
                '{"spec":{"maxReplicas":10}}',
            ),
            verify="kubectl get hpa -n {namespace} shows use below target",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/load-bal-ingress-c/troubleshoot-performance-ingress",
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
    ),
    leads_to=("kubernetes.probe_too_slow",),
)
