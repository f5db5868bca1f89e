from sickbay.model.ages import hours_between
from sickbay.model.exposure import NatRules
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import DaemonSet
from sickbay.network import services_proxy
from sickbay.network.nat_services import misrouted
from sickbay.network.traffic import Verdict
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Cite,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)

# A node that has just joined gets its pods in a minute or two.
PATIENCE_HOURS = 0.1
_FELT_AS = (
    "network.connection_refused",
    "network.api_timeout",
    "network.connection_times_out",
    "network.service_address_dead",
)


@each(DaemonSet)
def misses_proxy(workload: DaemonSet, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if workload.namespace != "kube-system" or workload.name != "kube-proxy":
        return None
    ready, wanted = workload.status.number_ready or 0, workload.status.desired_number_scheduled or 0
    if not wanted or ready >= wanted:
        return Clear(f"kube-proxy has {ready} of {wanted} pods ready")
    return Match(
        f"kube-proxy has {ready} of {wanted} pods ready",
        facts={"ready": str(ready)},
        cites=(workload.cite("status", f"{ready} of {wanted} ready"),),
    )


@each(Node)
def has_no_proxy(node: Node, snapshot: Snapshot) -> Match | Clear | None:
    ready = node.condition("Ready")
    if ready is None or not ready.is_true:
        return None
    decision = services_proxy.decide(snapshot, node.name)
    if decision is None:
        # Where kube-proxy is not even known to be there, nothing says that it is missing.
        snapshot.require(Pod, "kube-system")
        return None
    decider = decision.by[0]
    if decision.verdict is not Verdict.BLOCKED:
        return Clear(f"{decider.kind} {decider.name} {decider.says}")
    hours = hours_between(ready.last_transition_time, ready.last_heartbeat_time)
    if hours is not None and hours < PATIENCE_HOURS:
        return None
    is_absent = decider.kind == DaemonSet.kind  # perhaps the list was cut, until somebody misses it
    return Match(
        f"{decider.name} {decider.says}",
        cites=(node.cite("metadata.name", node.name),),
        subject=decider.ref,
        weight=TYPICAL if is_absent else None,
        felt_as=_FELT_AS if is_absent else (),
    )


@each(NatRules)
def leaves_out_services(rules: NatRules, snapshot: Snapshot) -> Match | Clear | None:
    snapshot.require(Pod)
    if not (wrong := misrouted(snapshot, rules)):
        return Clear(f"the NAT rules of {rules.whose} know the services in evidence")
    more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    return Match(
        f"the NAT rules of {rules.node} {wrong[0].by.says} (service {wrong[0].service}{more})",
        cites=(Cite(rules.ref, "", f"{len(rules.services)} ports of services"),),
        subject=kube("Node", "", rules.node),
    )


RULE = Rule(
    title="kube-proxy does not run, or does not write its rules, on every node",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        misses_proxy,
        has_no_proxy,
        leaves_out_services,
        Signature(
            pattern=r"kube-proxy of node (?P<node>[\w.-]{1,253}) does not answer on port (?P<port>\d+): connection refused, though",
            says="nobody answers on port {port} of {node}, where kube-proxy answers on other nodes",
            sample="kube-proxy of node aks-np1-1-vmss000000 does not answer on port 10256: connection refused, though 2 others do",
            near_miss="kube-proxy of node aks-np1-1-vmss000000 answers on port 10256",
        ),
        Signature(
            pattern=r"\bkube-proxy-[a-z0-9]+ 0/\d+ (?:CrashLoopBackOff|Error|ImagePullBackOff)|[Ff]ailed to execute (?:iptables-restore|nft\b)|iptables-restore(?: v[\d.]+)?(?: \([\w-]+\))?: line \d+ failed|can't use (?:IPVS|iptables) proxier|Sync failed.{0,60}?iptables|Error syncing proxy rules|Failed to ensure chain (?:jumps|exists)|Error running ProxyServer|Failed to (?:delete stale|set) conntrack|nf_conntrack_max: permission denied",
            says="kube-proxy cannot set up the rules of services on a node",
            sample='E0112 10:11:12.131415 1 proxier.go:1546] "Failed to execute iptables-restore" err="exit status 1: iptables-restore: line 46 failed"',
            near_miss="kube-proxy-x7x7x   1/1     Running   0   78m",
            unless=r"istio|linkerd|azure-npm|calico|unable to initialize table 'nat'",
            passes=True,
        ),
    ),
    why="kube-proxy turns service addresses (also the one of the API server) into pod addresses on each node; where it does not run or cannot write its rules, connections to services hang or time out.",
    remedy=(
        Step(
            "See where it does not run.",
            run=("kubectl", "get", "pods", "-A", "-l", "component=kube-proxy", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Restart it.",
            run=("kubectl", "rollout", "restart", "daemonset/kube-proxy", "-n", "kube-system"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get daemonset kube-proxy -n kube-system wants READY on all nodes",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/networking/virtual-ips/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/troubleshoot-connection-pods-services-same-cluster",
    ),
    leads_to=_FELT_AS,
    spreads=True,
)
