from collections.abc import Iterator

from sickbay.model.ids import kube
from sickbay.model.service_parts import IngressBackend
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Ingress, Service
from sickbay.network.services_ports import offered, targets
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


@each(Ingress)
def asks_for_another_port(ingress: Ingress, snapshot: Snapshot) -> Match | Clear | None:
    for place, where, backend in _backends(ingress):
        named = backend.service if backend else None
        if named is None or not named.name or named.port is None:
            continue
        service = snapshot.get(kube(Service.kind, ingress.namespace, named.name), Service)
        port = named.port.number or named.port.name
        if service is None or not service.spec.ports or service.spec.type == "ExternalName":
            continue
        if port is None or targets(service, port, "TCP") or service.spec.is_headless:
            continue
        ports = service.spec.ports
        right = str(ports[0].port) if len(ports) == 1 else '"<port>"'
        return Match(
            f"ingress {ingress.namespace}/{ingress.name} sends {where} to port {port} of service {service.name}, which has only {offered(service)}",
            facts={
                "ingress": ingress.name,
                "service": service.name,
                "patch": f'[{{"op":"replace","path":"{place}","value":{{"number":{right}}}}}]',
            },
            cites=(ingress.cite("spec.rules[*].http.paths[*].backend.service.port", port),),
        )
    return Clear(
        f"the services of ingress {ingress.namespace}/{ingress.name} have the ports that it names"
    )


def _backends(ingress: Ingress) -> Iterator[tuple[str, str, IngressBackend | None]]:
    """Each backend with its place in the document, and what it is for."""
    for at, rule in enumerate(ingress.spec.rules or ()):
        for index, path in enumerate((rule.http.paths if rule.http else None) or ()):
            place = f"/spec/rules/{at}/http/paths/{index}/backend/service/port"
            yield place, f"{rule.host or '*'}{path.path or '/'}", path.backend
    yield "/spec/defaultBackend/service/port", "what no path takes", ingress.spec.default_backend


RULE = Rule(
    title="An ingress sends traffic to a port that the service does not have",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        asks_for_another_port,
        Signature(
            pattern=r"(?:Cannot create service: )?service port not found|Service port \S{1,60} (?:is )?not found in service|no matching service port|Service \"?[\w./-]+\"? does not have (?:a service )?port \"?[\w-]+|ingress backend port .{0,60}? not (?:found|resolved)|Unable to resolve (?:backend|service) port|unable to resolve any backend port for service \[",
            says="the port of an ingress is not on the service",
            sample='level=error msg="Cannot create service: service port not found" ingress=cart namespace=shop servicePort="&ServiceBackendPort{Name:,Number:8080,}" serviceName=cart',
            near_miss='level=info msg="created service" ingress=cart namespace=shop',
            weight=TYPICAL,
        ),
    ),
    why="The backend of an ingress names a port of the service, by its number or name, and not the port of the pods behind it. A controller that finds no such port on the service has no endpoints for the path, and answers with 503 or its default page.",
    remedy=(
        Step(
            "See the ports of the service.",
            run=("kubectl", "get", "service", "{service}", "-n", "{namespace}", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Name the right port in the ingress.",
            run=(
                "kubectl",
                "patch",
                "ingress",
                "{ingress}",
                "-n",
                "{namespace}",
                "--type",
                "json",
                "-p",
                "{patch}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe ingress {ingress} -n {namespace} lists endpoints for every path",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/ingress/",
        "https://learn.microsoft.com/azure/aks/app-routing",
    ),
    leads_to=("kubernetes.service_no_endpoints",),
)
