from collections.abc import Iterator

from sickbay.model.kubernetes import Pod
from sickbay.model.policies import NetworkPolicy, PolicySpec
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.pod_kinds import one_of_each
from sickbay.network.policy import decide, policies_selecting
from sickbay.network.services_backends import is_over
from sickbay.network.services_pods import selected
from sickbay.network.services_ports import Target, declared, number_on, protocol_of
from sickbay.network.traffic import Place, Traffic, Verdict
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

MOST_ASKED = 200


@each(Service)
def is_allowed_by_its_own_port(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    if not service.spec.selector or service.spec.is_headless:
        return None
    if not snapshot.in_namespace(NetworkPolicy, service.namespace):
        snapshot.require(NetworkPolicy, service.namespace)
        return None
    snapshot.require(Pod, service.namespace)
    pod = next((one for one in selected(snapshot, service) if not is_over(one)), None)
    if pod is None:
        return None
    for target, number in _moved(service, pod):
        for index, policy in _naming(snapshot, pod, target):
            source = _let_down(snapshot, pod, target, number)
            if source:
                return _match(service, (target, number), (index, policy), source)
    return Clear(
        f"no policy takes a port of {service.namespace}/{service.name} for that of its pods"
    )


def _moved(service: Service, pod: Pod) -> Iterator[tuple[Target, int]]:
    """The ports of a service that its pods do not have, with the number on the pod."""
    own = {one.container_port for one in declared(pod)}
    for port in service.spec.ports or ():
        target = Target(port, protocol_of(port))
        number = number_on(pod, target)
        if number and port.port != number and port.port not in own:
            yield target, number


def _naming(snapshot: Snapshot, pod: Pod, target: Target) -> Iterator[tuple[str, NetworkPolicy]]:
    """The rules that name the port of the service, by their place in a policy."""
    wanted = target.port.port if target.port else None
    for one in policies_selecting(snapshot, pod, "ingress"):
        policy = snapshot.find(one.ref)
        spec = policy.read(PolicySpec) if isinstance(policy, NetworkPolicy) else ""
        for number, rule in enumerate(() if isinstance(spec, str) else spec.ingress or ()):
            for at, port in enumerate((rule and rule.ports) or ()):
                if isinstance(policy, NetworkPolicy) and port.port == wanted:
                    yield f"/spec/ingress/{number}/ports/{at}/port", policy


def _let_down(snapshot: Snapshot, pod: Pod, target: Target, number: int) -> str:
    """A pod that policies let in at the port of the service, and not at that of the pod."""
    place = Place(f"{pod.namespace}/{pod.name}", pod=pod)
    wanted = target.port.port if target.port else None
    for other in snapshot.once(_kinds)[:MOST_ASKED]:
        source = Place(f"{other.namespace}/{other.name}", pod=other)
        named = decide(snapshot, source, place, Traffic(target.protocol, wanted))
        meant = decide(snapshot, source, place, Traffic(target.protocol, number))
        if named.passes and meant.verdict is Verdict.BLOCKED and other.ref != pod.ref:
            return source.label
    return ""


def _kinds(snapshot: Snapshot) -> list[Pod]:
    return one_of_each(snapshot.some(Pod))


def _match(
    service: Service, port: tuple[Target, int], rule: tuple[str, NetworkPolicy], source: str
) -> Match:
    target, number = port
    path, policy = rule
    named = target.port.port if target.port else None
    return Match(
        f"NetworkPolicy {policy.namespace}/{policy.name} allows {target.protocol} {named}, the port of service {service.name}, and not {number}, the port of its pods: {source} cannot use it",
        facts={
            "policy": policy.name,
            "service": service.name,
            "patch": f'[{{"op":"replace","path":"{path}","value":{number}}}]',
            "number": str(number),
        },
        cites=(policy.cite("spec.ingress[*].ports[*].port", named),),
        subject=policy.ref,
    )


RULE = Rule(
    title="A network policy allows the port of a service instead of the port of its pods",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(is_allowed_by_its_own_port,),
    why="Policies are asked after the address of the service was turned into that of a pod, so their ports are those of the containers (targetPort). A rule that names the port of the service allows nothing that the service sends, and connections time out.",
    remedy=(
        Step(
            "Name the port of the pods in the rule.",
            run=(
                "kubectl",
                "patch",
                "networkpolicy",
                "{policy}",
                "-n",
                "{namespace}",
                "--type",
                "json",
                "-p",
                "{patch}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="a request to {service}.{namespace} from an allowed pod is answered",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/network-policies/",
        "https://learn.microsoft.com/azure/aks/use-network-policies",
    ),
    leads_to=("network.connection_times_out",),
)
