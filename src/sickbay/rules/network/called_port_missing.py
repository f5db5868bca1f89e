from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment, Service, StatefulSet
from sickbay.network.called import Call, calls, service_of
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

_COMPLAINTS = (
    "network.connection_refused",
    "network.connection_times_out",
    "network.backend_refuses",
)
_ENDS = ("kubernetes.program_fails", "kubernetes.crash_loop")


@each(Deployment, TYPICAL)
def calls_no_port(deployment: Deployment, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(deployment, snapshot)


@each(StatefulSet, TYPICAL)
def members_call_no_port(members: StatefulSet, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(members, snapshot)


def _judge(work: Deployment | StatefulSet, snapshot: Snapshot) -> Match | Clear | None:
    if work.spec.replicas == 0:
        return None
    said = ""
    for call in calls(work, snapshot):
        service = service_of(call, snapshot)
        offered = _offered(service)
        if service is None or call.port is None or not offered:
            continue
        if call.port not in offered:
            return _found(work, call, service, offered)
        said = said or f"{work.namespace}/{work.name} calls port {call.port} of {service.name}"
    return Clear(said) if said else None


def _offered(service: Service | None) -> list[int]:
    """The ports at the address of a service; none of one whose name leads to its pods or elsewhere."""
    if service is None or service.spec.is_headless or service.spec.type == "ExternalName":
        return []
    return [one.port for one in service.spec.ports or () if one.port]


def _found(
    work: Deployment | StatefulSet, call: Call, service: Service, offered: list[int]
) -> Match:
    ports = ", ".join(map(str, offered))
    return Match(
        f"variable {call.variable} of {work.namespace}/{work.name} names port {call.port} of service {service.namespace}/{service.name}, which has {ports}",
        facts={
            "service": service.name,
            "target_namespace": service.namespace,
            "variable": call.variable,
            "asked": str(call.port),
            "ports": ports,
            "hosts": call.hosts,
        },
        cites=(
            work.cite(f"spec.template.spec.containers[{call.container}].env", call.host),
            service.cite("spec.ports", ports),
        ),
        # The value may mean something else, until a call fails.
        felt_as=_COMPLAINTS,
    )


RULE = Rule(
    title="A workload is told to call a port that the service does not have",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(calls_no_port, members_call_no_port),
    why="The address of a service answers only at the ports of its specification, which need not be those of the containers behind it. At any other port nobody listens, so the call is refused or gets no answer, though the service, its endpoints and its pods are well.",
    remedy=(
        Step(
            "See the ports of the service.",
            run=(
                "kubectl",
                "get",
                "service",
                "{service}",
                "-n",
                "{target_namespace}",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Write one of its ports ({ports}) into {variable} instead of {asked}, or give the service the port {asked}.",
            risk=Risk.DISRUPTIVE,
            verify="the program connects",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/service/",
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
    ),
    leads_to=(
        *_COMPLAINTS,
        *_ENDS,
        "kubernetes.init_container_waits",
        "kubernetes.readiness_fails",
    ),
)
