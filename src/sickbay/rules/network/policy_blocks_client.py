from sickbay.model.kubernetes import Pod
from sickbay.model.policies import NetworkPolicy
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.policy_callers import Refused, refused
from sickbay.network.services import wiring
from sickbay.network.services_backends import Backend
from sickbay.network.services_pods import selected
from sickbay.rulekit import Category, Cite, Clear, Match, Risk, Rule, Severity, Step, each

# Of very many that are not well a few tell enough.
_MOST_CALLERS = 20
_MOST_NAMED = 3
_SEVERAL = 2


@each(Service)
def drops_who_calls(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    name = f"{service.namespace}/{service.name}"
    if not service.spec.selector:
        return None
    if not snapshot.in_namespace(NetworkPolicy, service.namespace):
        snapshot.require(NetworkPolicy, service.namespace)
        return Clear(f"no policy is in the namespace of service {name}")
    found = _first(service, snapshot)
    if found is None:
        return Clear(f"no policy keeps a pod that is not well from service {name}")
    is_beside = found.caller.startswith(f"{service.namespace}/")
    return Match(
        f"{found.by.kind} {found.by.name} drops TCP {found.port} from {found.caller} to {found.target}, which service {name} leads to",
        facts={
            "policy": found.policy,
            "patch": found.patch,
            "service": service.name,
            # From elsewhere it is called by a name that tells its namespace.
            **({} if is_beside else {"hosts": _names(service)}),
        },
        cites=(Cite(found.by.ref or service.ref, "spec", found.by.says),),
        # That a policy shuts pods out is what it is for, until one complains.
        felt_as=("network.connection_times_out",),
    )


def _first(service: Service, snapshot: Snapshot) -> Refused | None:
    wired = wiring(snapshot, service)
    backend = next((one for one in wired.backends if one.ready and one.pod), None)
    if backend is None or not wired.decision.passes:
        return None
    own = {pod.ref for pod in selected(snapshot, service)}
    beside = snapshot.in_namespace(Pod, service.namespace)
    callers = [pod for pod in beside if pod.is_unwell and pod.node and pod.ref not in own]
    ways = (refused(snapshot, caller, backend) for caller in callers[:_MOST_CALLERS])
    found = next((way for way in ways if way), None)
    return found or _from_elsewhere(snapshot, service, backend)


def _from_elsewhere(snapshot: Snapshot, service: Service, backend: Backend) -> Refused | None:
    """What keeps pods of other namespaces out: of which one, no document tells."""
    callers = _one_of_each(snapshot, service.namespace)
    ways = [way for caller in callers if (way := refused(snapshot, caller, backend))]
    if len(ways) < _SEVERAL:
        return next(iter(ways), None)
    own = f'"{ways[0].caller.partition("/")[0]}"'
    patch = ways[0].patch.replace(own, '"<namespace-of-the-caller>"')
    names = ", ".join(way.caller.partition("/")[0] for way in ways[:_MOST_NAMED])
    return ways[0]._replace(caller=f"pods of {len(ways)} other namespaces ({names})", patch=patch)


def _one_of_each(snapshot: Snapshot, namespace: str) -> list[Pod]:
    """A pod of every other namespace: whoever may call, as no document tells who does."""
    first: dict[str, Pod] = {}
    for pod in snapshot.some(Pod):
        is_other = pod.namespace != namespace and not pod.namespace.endswith("-system")
        if is_other and pod.is_ready and not pod.spec.host_network:
            first.setdefault(pod.namespace, pod)
    return sorted(first.values(), key=lambda pod: pod.namespace)[:_MOST_CALLERS]


def _names(service: Service) -> str:
    """The names under which pods of other namespaces call a service, and its address."""
    short = f"{service.name}.{service.namespace}"
    return f"{short} {short}.svc {short}.svc.cluster.local {service.spec.cluster_ip or ''}"


RULE = Rule(
    title="A network policy (NetworkPolicy) keeps a pod from the service that it calls, so its connections time out",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(drops_who_calls,),
    why="Once a policy of type Ingress selects the pods behind a service, only what some policy allows reaches them: without a rule for the labels of the caller and the port of the pod its packets are dropped, and the caller waits until its connection times out.",
    remedy=(
        Step(
            "See the policies of the namespace.",
            run=("kubectl", "describe", "networkpolicies", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Let the caller in.",
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
            verify="the caller connects to {service}",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/network-policies/",
        "https://learn.microsoft.com/azure/aks/use-network-policies",
    ),
    leads_to=(
        "network.connection_times_out",
        "kubernetes.program_fails",
        "kubernetes.init_container_waits",
        "kubernetes.readiness_fails",
    ),
    ask="kubectl get networkpolicies -A -o json",
)
