from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Step, each

_FELT = (
    "network.dns_name_unknown",
    "network.dns_server_silent",
    "network.name_resolution_fails",
)
_DNS = ("kube-dns", "coredns", "node-local-dns")
_WAY_OUT = "services of the cluster have no names there"


@each(Pod, TYPICAL)
def asks_elsewhere(pod: Pod, snapshot: Snapshot) -> Match | None:
    # The name servers of the cluster ask those of their node, and its agents may.
    if pod.namespace == "kube-system":
        return None
    because, path = _why(pod, snapshot)
    if not because:
        return None
    return Match(
        f"{pod.namespace}/{pod.name} {because}",
        facts={"policy": pod.spec.dns_policy or "ClusterFirst"},
        cites=(pod.cite(path, pod.spec.dns_policy or "ClusterFirst"),),
        felt_as=_FELT,
    )


def _why(pod: Pod, snapshot: Snapshot) -> tuple[str, str]:
    policy, given = pod.spec.dns_policy or "ClusterFirst", pod.spec.dns_config
    servers = list((given and given.nameservers) or ())
    if policy == "None":
        own = snapshot.once(_servers)
        if own and not own.intersection(servers):
            said = ", ".join(servers) or "no name server"
            return f"asks {said} (dnsPolicy None), not the cluster's ({min(own)})", "spec.dnsConfig"
        if not (given and given.searches):
            return "has no search list (dnsPolicy None): only full names resolve", "spec.dnsConfig"
    elif policy == "Default":
        return (
            f"asks the name servers of its node (dnsPolicy Default): {_WAY_OUT}",
            "spec.dnsPolicy",
        )
    elif policy == "ClusterFirst" and pod.spec.host_network:
        said = "asks the name servers of its node, as hostNetwork does with dnsPolicy ClusterFirst"
        return f"{said}: {_WAY_OUT}", "spec.hostNetwork"
    return "", ""


def _servers(snapshot: Snapshot) -> frozenset[str]:
    """The addresses of the cluster's own name servers, as far as they are known."""
    services = snapshot.in_namespace(Service, "kube-system")
    found = (one.spec.cluster_ip for one in services if one.name in _DNS)
    return frozenset(address for address in found if address and address != "None")


RULE = Rule(
    title="A pod does not ask the name server of the cluster: its dnsPolicy or dnsConfig says otherwise",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(asks_elsewhere,),
    why="dnsPolicy decides whom a pod asks: ClusterFirst the name server of the cluster, Default (and ClusterFirst with hostNetwork) those of its node, None only what dnsConfig lists. Names of services resolve at the cluster's own server alone, and short ones only with its search list.",
    remedy=(
        Step(
            "See what the pod asks.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.dnsPolicy}{.spec.dnsConfig}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Take dnsPolicy {policy} out of the pod template (with hostNetwork: ClusterFirstWithHostNet); add further servers or search domains by dnsConfig beside ClusterFirst.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl exec {pod} -n {namespace} -- cat /etc/resolv.conf names the address of kube-dns",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/",),
    leads_to=_FELT,
    ask="kubectl get pod {pod} -n {namespace} -o jsonpath={.spec.dnsPolicy}{.spec.dnsConfig}",
)
