from sickbay.model.exposure import Gateway, GatewayClass
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
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


@each(Gateway)
def is_of_absent_class(gateway: Gateway, snapshot: Snapshot) -> Match | Clear | None:
    name = gateway.spec.gateway_class_name or ""
    programmed = gateway.condition("Programmed")
    if not name or (programmed and programmed.is_true):
        return None
    if snapshot.get(kube(GatewayClass.kind, "", name), GatewayClass):
        return Clear(f"gateway class {name} exists")
    classes = sorted(one.name for one in snapshot.some(GatewayClass))
    return Match(
        f"gateway {gateway.namespace}/{gateway.name} is of class {name}, which does not exist; there are: {', '.join(classes) or 'none'}",
        facts={"class": name},
        cites=(gateway.cite("spec.gatewayClassName", name),),
    )


RULE = Rule(
    title="No controller takes care of a Gateway or its class (Waiting for controller)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        is_of_absent_class,
        Signature(
            pattern=r"Message: Waiting for controller|message: \W?Waiting for controller|(?:GatewayClass|gatewayclass).{0,200}?\bInvalidParameters\b|reason: InvalidParameters|Gateway is not referencing an? Application Gateway for Containers resource",
            says="no controller has taken the Gateway",
            sample="Message: Waiting for controller Reason: Pending Status: Unknown Type: Accepted",
            near_miss="Message: Handled by controller Reason: Accepted Status: True",
            weight=TYPICAL,
        ),
    ),
    why="The class names a controller that does not run in the cluster, or its parameters are refused, so that the Gateway stays as it was made. The ALB controller of Application Gateway for Containers also passes over a Gateway whose annotations (alb.networking.azure.io/alb-id, or alb-name and alb-namespace) name no resource.",
    remedy=(
        Step(
            "See the classes and their controllers.",
            run=(
                "kubectl",
                "get",
                "gatewayclasses",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Install the controller, or name a class that is served.",
            verify="the Gateway is Accepted",
        ),
    ),
    leads_to=(
        "network.route_not_attached",
        "kubernetes.load_balancer_pending",
    ),
    docs=("https://gateway-api.sigs.k8s.io/reference/spec/",),
    ask="kubectl get gatewayclasses -o yaml",
)
