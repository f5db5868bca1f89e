from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment, StatefulSet
from sickbay.network.called import calls, service_of
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

# How a program says that a name is not there; a DNS server without a way out fails instead.
_COMPLAINTS = (
    "network.dns_name_unknown",
    "network.dns_server_silent",
    "network.name_resolution_fails",
)
_ENDS = ("kubernetes.program_fails", "kubernetes.crash_loop")


@each(Deployment, TYPICAL)
def calls_no_service(deployment: Deployment, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(deployment, snapshot)


@each(StatefulSet, TYPICAL)
def members_call_no_service(members: StatefulSet, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(members, snapshot)


def _judge(work: Deployment | StatefulSet, snapshot: Snapshot) -> Match | Clear | None:
    if work.spec.replicas == 0:
        return None
    said = ""
    for call in calls(work, snapshot):
        if service_of(call, snapshot) is None:
            return Match(
                f"variable {call.variable} of {work.namespace}/{work.name} names {call.host}, and namespace {call.namespace} has no service {call.service}",
                facts={
                    "service": call.service,
                    "target_namespace": call.namespace,
                    "variable": call.variable,
                    "hosts": call.hosts,
                },
                cites=(
                    work.cite(f"spec.template.spec.containers[{call.container}].env", call.host),
                ),
                # The value may mean something else, until the name is not found.
                felt_as=_COMPLAINTS,
            )
        said = said or f"{work.namespace}/{work.name} is told to call services that are there"
    return Clear(said) if said else None


RULE = Rule(
    title="A workload is told to call a service that does not exist in the cluster",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(calls_no_service, members_call_no_service),
    why="The address in a variable of the container is that of a service in the cluster, by its short name or with its namespace, and no service has this name: it is misspelled, was renamed or deleted, or lies in another namespace than the one that a short name means. CoreDNS answers that the name does not exist, and the program gives up.",
    remedy=(
        Step(
            "See which services there are.",
            run=("kubectl", "get", "services", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "Write the name of the service that is meant into {variable}, with its namespace if it lies in another one (service.namespace); or create the service {service}.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get service {service} -n {target_namespace} answers, or the variable names another",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/",
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
    ),
    leads_to=(
        *_COMPLAINTS,
        *_ENDS,
        "kubernetes.init_container_waits",
        "kubernetes.readiness_fails",
    ),
)
