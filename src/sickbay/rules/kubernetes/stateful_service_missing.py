from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service, StatefulSet
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Rule, Severity, Step, each


@each(StatefulSet)
def lacks_its_service(members: StatefulSet, snapshot: Snapshot) -> Match | Clear | None:
    name = members.spec.service_name
    if not name or members.spec.replicas == 0:
        return None
    if snapshot.get(kube("Service", members.namespace, name), Service) is not None:
        return Clear(f"service {members.namespace}/{name} exists")
    return Match(
        f"{members.namespace}/{members.name} names service {name}, which does not exist",
        facts={"service": name},
        cites=(members.cite("spec.serviceName", name),),
        weight=TYPICAL,
        # Many sets do without names, until somebody asks for one.
        felt_as=("network.dns_name_unknown", "network.name_resolution_fails"),
    )


RULE = Rule(
    title="A StatefulSet names a headless service that does not exist, so its pods have no stable names",
    severity=Severity.WARNING,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(lacks_its_service,),
    why="serviceName of a StatefulSet gives its pods names such as db-0.db.shop.svc; without that service the names do not resolve, and members of a database do not find each other.",
    remedy=(
        Step(
            "Create a headless service of that name.",
            run=(
                "kubectl",
                "create",
                "service",
                "clusterip",
                "{service}",
                "-n",
                "{namespace}",
                "--clusterip=None",
            ),
            verify="kubectl get service {service} -n {namespace} finds it",
        ),
        Step(
            "Give it the selector of the pods.",
            run=(
                "kubectl",
                "edit",
                "service",
                "{service}",
                "-n",
                "{namespace}",
            ),
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#stable-network-id",
    ),
    leads_to=(
        "network.name_resolution_fails",
        "network.dns_name_unknown",
        "kubernetes.program_fails",
    ),
)
