from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment, HorizontalPodAutoscaler, StatefulSet
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(HorizontalPodAutoscaler)
def divides_by_nothing(scaler: HorizontalPodAutoscaler, snapshot: Snapshot) -> Match | Clear | None:
    target = scaler.spec.scale_target_ref
    wanted = _resources(scaler)
    if target is None or not wanted:
        return None
    ref = kube(target.kind, scaler.namespace, target.name)
    kind = StatefulSet if target.kind == "StatefulSet" else Deployment
    workload = snapshot.get(ref, kind)
    if workload is None or workload.spec.template is None:
        return None
    for container in workload.spec.template.spec.containers:
        stated = container.resources
        known = {**((stated and stated.limits) or {}), **((stated and stated.requests) or {})}
        lacking = [name for name in wanted if name not in known]
        if lacking:
            return Match(
                f"autoscaler {scaler.namespace}/{scaler.name} scales {target.name} by the utilization of {lacking[0]}, and container {container.name} states no request for it",
                facts={"resource": lacking[0]},
                cites=(
                    workload.cite(
                        f"spec.template.spec.containers[{container.name}].resources.requests", None
                    ),
                ),
            )
    return Clear(f"every container of {scaler.namespace}/{target.name} states {', '.join(wanted)}")


def _resources(scaler: HorizontalPodAutoscaler) -> list[str]:
    """The resources whose utilization counts."""
    named = [
        metric.resource.name
        for metric in scaler.spec.metrics or ()
        if metric.resource
        and metric.resource.target
        and metric.resource.target.type == "Utilization"
    ]
    return named or (["cpu"] if scaler.spec.target_cpu_utilization_percentage else [])


RULE = Rule(
    title="An autoscaler (HPA) scales by utilization, but a container states no request for that resource",
    severity=Severity.ERROR,
    categories=(Category.SCALING,),
    detect=(
        divides_by_nothing,
        Signature(
            pattern=r"missing request for (?P<resource>cpu|memory)(?: in container (?P<container>[\w.-]+) of Pod (?P<pod>[\w.-]+))?",
            says="a container states no request for {resource}",
            sample="Warning  FailedGetResourceMetric  5s  horizontal-pod-autoscaler  failed to get cpu utilization: missing request for cpu in container app of Pod cart-1",
            near_miss="Warning  FailedGetResourceMetric  5s  horizontal-pod-autoscaler  unable to get metrics for resource cpu: no metrics returned from resource metrics API",
        ),
    ),
    why="Utilization is use divided by request. One container without a request, sidecars included, leaves nothing to divide by, and the autoscaler does not scale at all.",
    remedy=(
        Step(
            "See the requests of the target.",
            run=(
                "kubectl",
                "get",
                "hpa",
                "-n",
                "{namespace}",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set a request for {resource} in every container of the workload.",
            run=(
                "kubectl",
                "set",
                "resources",
                "<workload>",
                "-n",
                "{namespace}",
                "--requests={resource}=100m",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get hpa -n {namespace} shows a number instead of <unknown>",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",),
    leads_to=("kubernetes.autoscaler_blind",),
    ask="kubectl get deployments -A -o json",
)
