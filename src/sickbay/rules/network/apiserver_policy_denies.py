from sickbay.model.evidence import UnseenError
from sickbay.model.ids import Ref, kube
from sickbay.model.kubernetes import Pod
from sickbay.model.policies import NetworkPolicy
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.policy import decide
from sickbay.network.prefixes import parse
from sickbay.network.services_backends import holding
from sickbay.network.traffic import Decider, Decision, Place, Traffic, Verdict
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

# Where every pod talks to the API server; elsewhere nobody can tell that one must.
SYSTEM = frozenset(
    """kube-system calico-system tigera-operator gatekeeper-system azure-arc flux-system
    cert-manager aks-istio-system app-routing-system azureserviceoperator-system""".split()
)
MOST_NAMED = 3
NO = Ref("", "")


@each(NetworkPolicy)
def cuts_off_system_pods(policy: NetworkPolicy, snapshot: Snapshot) -> Match | Clear | None:
    if policy.namespace not in SYSTEM:
        return None
    server = snapshot.once(_server)
    name = f"{policy.namespace}/{policy.name}"
    pods = _pods(snapshot, policy.namespace)
    unseen = None
    cut: list[Pod] = []
    says = ""
    for pod in pods:
        decision = decide(snapshot, Place(pod.name, pod=pod), server, Traffic("TCP", 443))
        deciding = [one for one in _blamed(snapshot, decision) if one.name == name]
        if deciding and decision.verdict is Verdict.BLOCKED:
            cut.append(pod)
            says = says or deciding[0].says
        elif deciding and decision.verdict is Verdict.UNKNOWN and decision.gaps:
            unseen = unseen or decision.gaps[0]
    if cut:
        named = ", ".join(pod.name for pod in cut[:MOST_NAMED])
        where = ", ".join(server.addresses) or "its address"
        return Match(
            f"NetworkPolicy {name} {says}: {named} cannot reach the API server at {where}:443",
            facts={"policy": policy.name, "patch": _patch(policy, server)},
            cites=(policy.cite("spec.policyTypes", "Egress"),),
        )
    if unseen:
        raise UnseenError(unseen)
    return Clear(f"{name} lets pods reach the API server")


def _blamed(snapshot: Snapshot, decision: Decision) -> list[Decider]:
    """Of the policies that isolate a pod the one that allows least; any other may be meant so."""
    own = [one for one in decision.by if one.kind == NetworkPolicy.kind]
    return sorted(own, key=lambda one: (len(_egress(snapshot.find(one.ref or NO))), one.name))[:1]


def _egress(policy: object) -> list[object]:
    spec = policy.spec if isinstance(policy, NetworkPolicy) else None
    rules = spec.get("egress") if isinstance(spec, dict) else None
    return rules if isinstance(rules, list) else []


def _patch(policy: NetworkPolicy, server: Place) -> str:
    """What adds the allowance to the rules that a policy has."""
    blocks = [f'{{"ipBlock":{{"cidr":"{one}/32"}}}}' for one in server.addresses if _is_short(one)]
    to = f'"to":[{",".join(blocks)}],' if blocks else ""
    rule = f'{{{to}"ports":[{{"protocol":"TCP","port":443}}]}}'
    has_rules = bool(_egress(policy))
    path, value = ("/spec/egress/-", rule) if has_rules else ("/spec/egress", f"[{rule}]")
    return f'[{{"op":"add","path":"{path}","value":{value}}}]'


def _is_short(address: str) -> bool:
    return parse(address) is not None and not {":", "/"} & set(address)


def _pods(snapshot: Snapshot, namespace: str) -> list[Pod]:
    """One pod of each kind that policies can tell apart."""
    found = snapshot.in_namespace(Pod, namespace)
    if not found:
        snapshot.require(Pod, namespace)
    kinds: dict[frozenset[tuple[str, str]], Pod] = {}
    for pod in sorted(found, key=lambda one: one.name):
        if not pod.spec.host_network and pod.status.phase not in {"Succeeded", "Failed"}:
            kinds.setdefault(frozenset(pod.labels.items()), pod)
    return list(kinds.values())


def _server(snapshot: Snapshot) -> Place:
    service = snapshot.find(kube("Service", "default", "kubernetes"))
    held = holding(snapshot, service) if isinstance(service, Service) else None
    addresses = tuple(sorted({one.address for one in held.addresses})) if held else ()
    return Place("the API server", addresses)


RULE = Rule(
    title="A network policy keeps system pods from the API server (egress without TCP 443 to it)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(cuts_off_system_pods,),
    why="A pod that a NetworkPolicy isolates for egress may send only what some policy allows. CoreDNS, metrics-server, operators and other pods of the system must reach the API server; the policy sees its real address, behind the service `kubernetes`, and nothing allows TCP 443 to it.",
    remedy=(
        Step(
            "Allow TCP 443 to the API server, beside what the policy allows already.",
            run=(
                "kubectl",
                "-n",
                "{namespace}",
                "patch",
                "networkpolicy",
                "{policy}",
                "--type",
                "json",
                "-p",
                "{patch}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl -n {namespace} get pods wants all pods Ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/use-network-policies",
        "https://kubernetes.io/docs/concepts/services-networking/network-policies/",
    ),
    leads_to=("network.api_timeout", "network.konnectivity_cut_off"),
    ask="kubectl get networkpolicies -A -o json",
    spreads=True,
)
