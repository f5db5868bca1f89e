from sickbay.model.exposure import IngressClass
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Ingress
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

OLD_CLASS = "kubernetes.io/ingress.class"


@each(Ingress)
def is_of_no_class(ingress: Ingress, snapshot: Snapshot) -> Match | Clear | None:
    name, status = ingress.spec.ingress_class_name, ingress.status.load_balancer
    if not name and ingress.annotations.get(OLD_CLASS):
        return None
    if name and snapshot.get(kube(IngressClass.kind, "", name), IngressClass):
        return Clear(f"ingress class {name} exists")
    if status and status.ingress:
        return Clear(f"ingress {ingress.namespace}/{ingress.name} was given an address")
    classes = sorted(snapshot.all(IngressClass), key=lambda one: (not one.is_default, one.name))
    if not name and (status is None or any(one.is_default for one in classes)):
        return None
    there = ", ".join(one.name for one in classes) or "none"
    what = (
        f"is of class {name}, which does not exist"
        if name
        else "names no class, and none is the default"
    )
    return Match(
        f"ingress {ingress.namespace}/{ingress.name} {what}; there are: {there}",
        facts={"ingress": ingress.name, "class": classes[0].name if classes else "<class>"},
        cites=(ingress.cite("spec.ingressClassName", name),),
        # Some controllers take what names no class.
        weight=None if name else TYPICAL,
    )


RULE = Rule(
    title="An ingress is of a class that does not exist, so no controller serves it",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        is_of_no_class,
        Signature(
            pattern=r"Ignoring ingress because of error while validating ingress class.{0,120}?ingress=\"(?P<ingress>[\w./-]+)\"|ingress does not contain a valid IngressClass|ignoring (?:add|update|delete)? ?(?:for )?ingress (?P<name>[\w./-]+) (?:based on annotation|is not valid for)|no Ingress in the pruned Ingress list|no object matching key \"(?P<class>[\w.-]+)\" in local store",
            says="the ingress controller does not take an ingress[, {ingress},] whose class is not its own",
            sample='I0304 10:02:03.000000       7 store.go:436] "Ignoring ingress because of error while validating ingress class" ingress="shop/web" error="ingress does not contain a valid IngressClass"',
            near_miss='I0304 10:02:03.000000       7 store.go:431] "Found valid IngressClass" ingress="shop/web" ingressclass="nginx"',
            weight=TYPICAL,
            passes=True,
            common=True,
        ),
    ),
    why="A controller serves only ingresses of its own IngressClass. One whose ingressClassName is misspelled or not installed (the class of the AKS application routing add-on is webapprouting.kubernetes.azure.com, that of an own ingress-nginx mostly nginx) gets no address and no routes: its host is answered with 404, or not at all.",
    remedy=(
        Step(
            "See the classes that there are.",
            run=("kubectl", "get", "ingressclasses"),
            risk=Risk.READ,
        ),
        Step(
            "Give the ingress the class of a controller that runs.",
            run=(
                "kubectl",
                "patch",
                "ingress",
                "{ingress}",
                "-n",
                "{namespace}",
                "--type",
                "merge",
                "-p",
                '{"spec":{"ingressClassName":"{class}"}}',
            ),
            risk=Risk.SAFE,
            verify="kubectl get ingress {ingress} -n {namespace} shows an ADDRESS",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/ingress/",
        "https://learn.microsoft.com/azure/aks/app-routing",
    ),
    leads_to=("network.connection_times_out",),
    ask="kubectl get ingress,ingressclass -A",
)
