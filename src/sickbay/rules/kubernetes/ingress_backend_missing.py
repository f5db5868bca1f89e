from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Ingress, Service
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Ingress)
def sends_to_nowhere(ingress: Ingress, snapshot: Snapshot) -> Match | Clear | None:
    for name in ingress.services:
        if snapshot.get(kube("Service", ingress.namespace, name), Service) is None:
            return Match(
                f"ingress {ingress.namespace}/{ingress.name} sends traffic to service {name}, which does not exist",
                facts={"ingress": ingress.name, "backend": name},
                cites=(ingress.cite("spec.rules[*].http.paths[*].backend.service.name", name),),
            )
    return Clear(f"the services of ingress {ingress.namespace}/{ingress.name} exist")


RULE = Rule(
    title="An ingress sends traffic to a service that does not exist",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        sends_to_nowhere,
        Signature(
            pattern=r"[Ee]rror obtaining (?:Endpoints|service) for [Ss]ervice \"?(?P<backend>[\w./-]+)\"?: no object matching key|references non[- ]existent [Ss]ervice (?P<lost>[\w./-]+)|Unable to get the service \[(?P<absent>[\w./-]+)\]|ErrorFetchingEn\w+|Error fetching endpoints from store! Service does not exist: (?P<store>[\w./-]+)|Failed fetching endpoints for service: |kubernetes service not found: ?(?P<unknown>[\w./-]*)|Cannot create service: service not found|unresolved service reference: (?P<contour>.{3,120}? not found)|\bServiceUnresolvedReference\b|error getting service (?P<named>[\w./-]+): service \S{1,200} was not found|<error: (?:endpoints|services) \"(?P<gone>(?:[^d\"]|d[^e\"]|de[^f\"]|def[^a\"]|defa[^u\"]|defau[^l\"]|defaul[^t\"]|default[^-\"])[\w.-]*)\" not found>",
            says="the service {backend} behind an ingress does not exist",
            sample='W0112 10:11:12.131415 7 controller.go:1108] Error obtaining Endpoints for Service "shop/cart": no object matching key "shop/cart" in local store',
            near_miss='I0112 10:11:12.131415 7 controller.go:190] "Configuration changes detected, backend reload required"',
        ),
    ),
    why="The ingress controller finds no service of the name that the rule gives in the namespace of the ingress, and answers with 503 or its default page.",
    remedy=(
        Step(
            "See the services of the namespace.",
            run=("kubectl", "get", "services", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the backend of the ingress, or create the service.",
            run=("kubectl", "edit", "ingress", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe ingress -n {namespace} lists endpoints for every path",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/ingress/",
        "https://learn.microsoft.com/azure/aks/app-routing",
    ),
)
