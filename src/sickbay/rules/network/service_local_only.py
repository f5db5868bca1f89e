from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.services import wiring
from sickbay.network.services_pods import selected
from sickbay.network.traffic import Verdict
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

MOST_NAMED = 3


@each(Service, TYPICAL)
def answers_on_few_nodes(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    spec = service.spec
    if spec.internal_traffic_policy != "Local" or not spec.selector or spec.is_headless:
        return None
    pods = selected(snapshot, service)
    # Agents that run on every node are what the setting is made for.
    if not pods or any(pod.workload.kind == "DaemonSet" for pod in pods):
        return None
    snapshot.require(Node)
    lacking = [
        node.name
        for node in sorted(snapshot.some(Node), key=lambda one: one.name)
        if node.is_ready and not node.spec.unschedulable and _is_cut_off(service, snapshot, node)
    ]
    if not lacking:
        return Clear(f"{service.namespace}/{service.name} has a ready pod on every node, or none")
    shown = ", ".join(lacking[:MOST_NAMED]) + (" …" if len(lacking) > MOST_NAMED else "")
    return Match(
        f"{service.namespace}/{service.name} has internalTrafficPolicy Local and no ready pod on {len(lacking)} nodes ({shown}): clients there are not answered",
        facts={"service": service.name},
        cites=(service.cite("spec.internalTrafficPolicy", spec.internal_traffic_policy),),
    )


def _is_cut_off(service: Service, snapshot: Snapshot, node: Node) -> bool:
    found = wiring(snapshot, service, from_node=node.name)
    is_answered = any(backend.ready for backend in found.backends)
    is_local = any(decider.ref == service.ref for decider in found.decision.by)
    return is_answered and is_local and found.decision.verdict is Verdict.BLOCKED


RULE = Rule(
    title="A service answers only on the nodes of its pods (internalTrafficPolicy Local)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(answers_on_few_nodes,),
    why="With internalTrafficPolicy Local a node sends traffic for the service only to pods of its own, and drops it where it has none. That suits an agent that runs on every node; for a Deployment it means that a client works or not by where it was scheduled.",
    remedy=(
        Step(
            "Let every node use every pod.",
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
                '{"spec":{"internalTrafficPolicy":"Cluster"}}',
            ),
            risk=Risk.SAFE,
            verify="a request to the service from a pod on another node is answered",
        ),
        Step("Or run its pods as a DaemonSet, one on every node that has clients."),
    ),
    docs=("https://kubernetes.io/docs/concepts/services-networking/service-traffic-policy/",),
    leads_to=(
        "network.connection_times_out",
        "network.connection_refused",
        "kubernetes.program_fails",
        "kubernetes.init_container_waits",
    ),
    ask="kubectl get pods -n {namespace} -o wide",
)
