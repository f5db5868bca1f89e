from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import HorizontalPodAutoscaler
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(HorizontalPodAutoscaler)
def shares_its_target(scaler: HorizontalPodAutoscaler, snapshot: Snapshot) -> Match | Clear | None:
    target = scaler.spec.scale_target_ref
    if target is None:
        return None
    others = [
        other.name
        for other in snapshot.in_namespace(HorizontalPodAutoscaler, scaler.namespace)
        if other.name != scaler.name and other.spec.scale_target_ref == target
    ]
    if not others:
        return Clear(f"only {scaler.name} scales {target.name}")
    return Match(
        f"autoscalers {', '.join(sorted([scaler.name, *others]))} in {scaler.namespace} all scale {target.kind} {target.name}",
        cites=(scaler.cite("spec.scaleTargetRef.name", target.name),),
    )


RULE = Rule(
    title="Two autoscalers scale the same pods (AmbiguousSelector)",
    severity=Severity.ERROR,
    categories=(Category.SCALING,),
    detect=(
        shares_its_target,
        Signature(
            pattern=r"AmbiguousSelector|pods by selector .{0,200}? are controlled by multiple HPAs",
            says="several autoscalers select the same pods",
            sample="Warning  AmbiguousSelector  5s  horizontal-pod-autoscaler  pods by selector app=cart are controlled by multiple HPAs: [shop/cart shop/cart-keda]",
            near_miss="Normal  SuccessfulRescale  5s  horizontal-pod-autoscaler  New size: 3",
        ),
        Signature(
            pattern=r"is already managed by the (?:hpa|scaled ?object|ScaledObject)",
            says="the workload already has an autoscaler",
            sample="admission webhook \"vscaledobject.kb.io\" denied the request: the workload 'web' of type 'apps/v1.Deployment' is already managed by the hpa 'web'",
            near_miss="the workload web is managed by a deployment",
        ),
    ),
    why="Each autoscaler would set its own number of replicas, so Kubernetes lets none of them act. Often a KEDA ScaledObject made one beside the one that was there.",
    remedy=(
        Step(
            "See the autoscalers and their targets.",
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
            "Delete all but one of them.",
            run=(
                "kubectl",
                "delete",
                "hpa",
                "<name>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe hpa -n {namespace} shows AbleToScale True",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",),
    ask="kubectl get hpa -A -o json",
    leads_to=("kubernetes.webhook_denied",),
)
