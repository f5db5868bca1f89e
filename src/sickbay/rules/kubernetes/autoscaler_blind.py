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
def gets_no_metrics(scaler: HorizontalPodAutoscaler, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    active = scaler.condition("ScalingActive")
    if active is None or active.status != "False" or active.reason == "ScalingDisabled":
        return Clear(f"autoscaler {scaler.namespace}/{scaler.name} gets its metrics")
    return Match(
        f"autoscaler {scaler.namespace}/{scaler.name} cannot scale: {active.reason or ''} {active.message or ''}".rstrip(),
        facts={"autoscaler": scaler.name},
        cites=(
            scaler.cite(
                "status.conditions[ScalingActive]", f"{active.status} {active.reason or ''}"
            ),
        ),
        at=active.last_transition_time or "",
    )


RULE = Rule(
    title="A horizontal pod autoscaler gets no metrics, so it does not scale",
    severity=Severity.WARNING,
    categories=(Category.SCALING,),
    detect=(
        gets_no_metrics,
        Signature(
            pattern=r"FailedGet(?:Resource|External|Object|Pods|ContainerResource)Metric|FailedComputeMetricsReplicas|unable to get metrics for resource (?P<resource>\w+)|(?i:failed to get (?:cpu|memory) (?:utilization|resource metric value))|no metrics returned from resource metrics API",
            says="an autoscaler gets no metrics",
            sample="Warning  FailedGetResourceMetric  5s  horizontal-pod-autoscaler  unable to get metrics for resource cpu: no metrics returned from resource metrics API",
            near_miss="Warning  FailedGetResourceMetric  5s  horizontal-pod-autoscaler  failed to get cpu utilization: did not receive metrics for targeted pods (pods might be unready)",
            # New pods have none yet.
            unless=r"did not receive metrics for targeted pods",
            passes=True,
        ),
        Signature(
            pattern=r"unable to get external metric (?P<metric>[\w./-]+)|unable to fetch metrics from (?:external|custom) metrics API|no (?:matching )?(?:custom|external) metrics? (?:found|returned)|invalid metrics \(\d+ invalid out of \d+\)",
            says="an autoscaler gets no external or custom metric",
            sample="unable to get external metric shop/s0-queue/nil: unable to fetch metrics from external metrics API: the adapter is asleep",
            near_miss="external metric shop/s0-queue has 12 values",
            weight=TYPICAL,
            unless=r"did not receive metrics for targeted pods|invalid out of \d+\).{0,200}?(?:cpu|memory) (?:resource|utilization)",
            passes=True,
        ),
        Signature(
            pattern=r"\b(?:Deployment|StatefulSet|ReplicaSet|Rollout)/[\w.-]+ (?:(?:cpu|memory|\S{1,60}): )?<unknown>/\S+ (?:\(avg\) )?\d+ \d+ [1-9]\d* ",
            says="an autoscaler shows <unknown> for its metric",
            sample="NAME REFERENCE TARGETS MINPODS MAXPODS REPLICAS AGE\ncart   Deployment/cart   cpu: <unknown>/70%   2   10   2   41m",
            near_miss="NAME REFERENCE TARGETS MINPODS MAXPODS REPLICAS AGE\ncart   Deployment/cart   cpu: 12%/70%   2   10   2   41m",
            weight=TYPICAL,
        ),
    ),
    why="The autoscaler asks the metrics API for the use of the pods: without the metrics server, or without the adapter for external metrics, there is nothing to compare, and the number of replicas stays.",
    remedy=(
        Step(
            "See whether metrics are served.",
            run=("kubectl", "top", "pods", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Set requests for the scaled resource in every container of the pods, sidecars included.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get hpa -n {namespace} shows a number instead of <unknown>",
        ),
        Step(
            "If no metrics are served at all, mend metrics-server.",
            run=("kubectl", "get", "pods", "-n", "kube-system", "-l", "k8s-app=metrics-server"),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
        "https://learn.microsoft.com/azure/aks/tutorial-kubernetes-scale",
    ),
)
