from sickbay.model.exposure import IngressClass
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Ingress
from sickbay.network.exposure import ingress_paths
from sickbay.network.traffic import Verdict
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(Ingress)
def is_served_by_nobody(ingress: Ingress, snapshot: Snapshot) -> Match | Clear | None:
    if not snapshot.holds(IngressClass.kind):
        snapshot.require(IngressClass)
        return None
    snapshot.require(Pod)
    path = next(iter(ingress_paths(snapshot, ingress)), None)
    if path is None:
        return None
    by = [one for one in path.decision.by if one.kind == IngressClass.kind]
    if path.decision.verdict is not Verdict.BLOCKED or not by:
        return Clear(f"a controller runs for ingress {ingress.namespace}/{ingress.name}")
    return Match(
        f"ingress class {by[0].name} {by[0].says}",
        facts={"class": by[0].name},
        cites=(ingress.cite("spec.ingressClassName", ingress.spec.ingress_class_name),),
        subject=by[0].ref,
    )


RULE = Rule(
    title="No pod of the ingress controller runs, so ingresses of its class are not served",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(is_served_by_nobody,),
    why="An ingress is only a wish: a controller of its class must run to take the traffic and follow changes. The class stays behind when the controller was removed or scaled to 0, and its ingresses look well although nobody answers for them.",
    remedy=(
        Step(
            "See who serves the class.",
            run=("kubectl", "describe", "ingressclass", "{class}"),
            risk=Risk.READ,
        ),
        Step(
            "Bring the controller back: scale it up or install it anew; the one that AKS manages comes with application routing.",
            run=(
                "az",
                "aks",
                "approuting",
                "enable",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="kubectl get pods -A -l app.kubernetes.io/component=controller wants READY",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/ingress-controllers/",
        "https://learn.microsoft.com/azure/aks/app-routing",
    ),
    leads_to=("network.connection_times_out",),
)
