from sickbay.model.kubernetes import Pod
from sickbay.model.policies import NetworkPolicy
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Ingress
from sickbay.network.exposure import ingress_paths
from sickbay.network.policy_callers import ingress_controller, refused
from sickbay.rulekit import Category, Cite, Clear, Match, Risk, Rule, Severity, Step, each


@each(Ingress)
def drops_its_traffic(ingress: Ingress, snapshot: Snapshot) -> Match | Clear | None:
    name = f"{ingress.namespace}/{ingress.name}"
    if not snapshot.in_namespace(NetworkPolicy, ingress.namespace):
        snapshot.require(NetworkPolicy, ingress.namespace)
        return Clear(f"no policy is in the namespace of ingress {name}")
    controller = ingress_controller(snapshot)
    if controller is None:
        snapshot.require(Pod)
        return None
    for path in ingress_paths(snapshot, ingress):
        if path.wiring is None or not path.wiring.decision.passes:
            continue
        backend = next((one for one in path.wiring.backends if one.ready and one.pod), None)
        found = refused(snapshot, controller, backend) if backend else None
        if found:
            url = f"{path.host or '<address>'}{path.path or '/'}"
            return Match(
                f"{found.by.kind} {found.by.name} drops TCP {found.port} from {found.caller} to {found.target}, for {url} of ingress {name}",
                facts={"policy": found.policy, "patch": found.patch, "url": url},
                cites=(
                    Cite(found.by.ref or ingress.ref, "spec", found.by.says),
                    ingress.cite("spec.rules[*].http.paths[*].backend", path.service),
                ),
            )
    return Clear(f"policies let the controller reach what ingress {name} leads to")


RULE = Rule(
    title="A network policy keeps the ingress controller from the pods behind an ingress (504 Gateway Time-out)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(drops_its_traffic,),
    why="The controller of an ingress sends requests to the pods itself, from its own pods and namespace. Once a policy of type Ingress selects the pods of the backend, only what some policy allows reaches them: without a rule for the controller's namespace and the port of the pod (not that of the service) every request ends in a timeout, answered as 504 or 502.",
    remedy=(
        Step(
            "See the policies of the namespace.",
            run=("kubectl", "describe", "networkpolicies", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Let the controller in.",
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
            verify="curl -I http://{url} is answered by the program",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/network-policies/",
        "https://learn.microsoft.com/azure/aks/use-network-policies",
    ),
    leads_to=("network.connection_times_out", "network.pod_silent"),
)
