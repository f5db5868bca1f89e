from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment, HorizontalPodAutoscaler, StatefulSet
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_KINDS = {"Deployment": Deployment, "StatefulSet": StatefulSet}


@each(HorizontalPodAutoscaler)
def scales_nothing(scaler: HorizontalPodAutoscaler, snapshot: Snapshot) -> Match | Clear | None:
    target = scaler.spec.scale_target_ref
    kind = _KINDS.get(target.kind) if target else None
    if target is None or kind is None:
        return None
    if snapshot.get(kube(target.kind, scaler.namespace, target.name), kind) is not None:
        return Clear(f"{target.kind} {scaler.namespace}/{target.name} exists")
    return Match(
        f"autoscaler {scaler.namespace}/{scaler.name} scales {target.kind} {target.name}, which does not exist",
        facts={"target": target.name},
        cites=(scaler.cite("spec.scaleTargetRef.name", target.name),),
    )


RULE = Rule(
    title="An autoscaler (HPA, KEDA ScaledObject) names a workload that does not exist",
    severity=Severity.ERROR,
    categories=(Category.SCALING,),
    detect=(
        scales_nothing,
        Signature(
            pattern=r"FailedGetScale\b(?:.{0,200}?(?P<kind>\w+)\.apps \"(?P<target>[\w.-]+)\" not found)?|the HPA controller was unable to get the target's current scale",
            says="the target of an autoscaler cannot be read",
            sample='Warning  FailedGetScale  5s  horizontal-pod-autoscaler  deployments.apps "cart" not found',
            near_miss="Normal  SuccessfulRescale  5s  horizontal-pod-autoscaler  New size: 3",
        ),
        Signature(
            pattern=r"(?:doesn't have correct scaleTargetRef|scaleTargetRef|[Tt]arget resource (?:doesn't exist|not found)).{0,300}?(?:not found|does(?:n't| not) exist)",
            says="the target of a scaled object does not exist",
            sample='ScaledObject doesn\'t have correct scaleTargetRef specification: deployments.apps "orders" not found',
            near_miss="ScaledObject is defined correctly and is ready for scaling",
        ),
        Signature(
            pattern=r"\bSelectorRequired\b|InvalidSelector\b.{0,80}?horizontal-pod-autoscaler",
            says="the target of an autoscaler has no selector",
            sample="Warning  SelectorRequired  3s  horizontal-pod-autoscaler  selector is required",
            near_miss="Normal  SuccessfulRescale  3s  horizontal-pod-autoscaler  New size: 4",
        ),
    ),
    why="scaleTargetRef must name an existing Deployment, StatefulSet or other object with a scale; the workload was renamed or deleted, or its kind or API version is misspelled.",
    remedy=(
        Step(
            "See the target.",
            run=(
                "kubectl",
                "get",
                "hpa",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct scaleTargetRef, or delete the autoscaler.",
            run=(
                "kubectl",
                "edit",
                "hpa",
                "-n",
                "{namespace}",
            ),
            verify="kubectl get hpa -n {namespace} shows a number of REPLICAS",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",),
    ask="kubectl get hpa -A -o json",
)
