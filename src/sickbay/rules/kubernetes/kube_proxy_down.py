from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import DaemonSet
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


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


RULE = Rule(
    title="kube-proxy does not run on every node, so services do not work there",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        misses_proxy,
        Signature(
            pattern=r"\bkube-proxy-[a-z0-9]+ 0/\d+ (?:CrashLoopBackOff|Error|ImagePullBackOff)|[Ff]ailed to execute iptables-restore|can't use (?:IPVS|iptables) proxier|Sync failed.{0,60}?iptables",
            says="kube-proxy cannot set up the rules of services on a node",
            sample='E0112 10:11:12.131415 1 proxier.go:1546] "Failed to execute iptables-restore" err="exit status 4 (Another app is currently holding the xtables lock)"',
            near_miss="kube-proxy-x7x7x   1/1     Running   0   78m",
        ),
    ),
    why="kube-proxy turns service addresses (also the one of the API server) into pod addresses on each node; where it does not run or cannot write its rules, connections to services hang or time out.",
    remedy=(
        Step(
            "See where it does not run.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
                "-l",
                "component=kube-proxy",
                "-o",
                "wide",
            ),
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
    leads_to=("network.api_timeout", "network.connection_times_out"),
    spreads=True,
)
