from sickbay.model.evidence import UnseenError
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.services_external import follow
from sickbay.network.traffic import Verdict, all_of
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(Service)
def leads_to_no_name(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    if service.spec.type != "ExternalName":
        return None
    decision = all_of(follow(snapshot, service).steps)
    if decision.verdict is Verdict.UNKNOWN:
        raise UnseenError(decision.gaps[0])
    if decision.passes:
        return Clear(f"{service.namespace}/{service.name} {decision.considered[-1].says}")
    decider = decision.by[0]
    return Match(
        f"{decider.name} {decider.says}",
        facts={"service": service.name, "external": service.spec.external_name or ""},
        cites=(service.cite("spec.externalName", service.spec.external_name),),
    )


RULE = Rule(
    title="A service of type ExternalName leads nowhere: to an address, in a circle, or to a service that is not there",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(leads_to_no_name,),
    why="An ExternalName service is only a CNAME record in the DNS of the cluster: whoever asks gets the other name and must resolve that. An IP address is handed out as a name that nobody resolves, names that point at each other never end, and a service that does not exist has no record.",
    remedy=(
        Step(
            "See the chain of names.",
            run=(
                "kubectl",
                "get",
                "services",
                "-A",
                "--field-selector",
                "spec.type=ExternalName",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the service a name that resolves; for an IP address make a service without selector and an EndpointSlice that holds the address instead.",
            run=(
                "kubectl",
                "patch",
                "service",
                "{service}",
                "-n",
                "{namespace}",
                "--type",
                "merge",
                "-p",
                '{"spec":{"externalName":"<dns-name>"}}',
            ),
            risk=Risk.DISRUPTIVE,
            verify="nslookup {service}.{namespace}.svc.cluster.local from a pod gives an address",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/service/",
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
    ),
    leads_to=("network.dns_name_unknown", "network.name_resolution_fails"),
)
