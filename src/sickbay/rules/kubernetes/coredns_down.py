from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Deployment)
def serves_no_names(workload: Deployment, snapshot: Snapshot) -> Match | Clear | None:
    if workload.namespace != "kube-system" or workload.name != "coredns":
        return None
    ready, wanted = workload.status.ready_replicas or 0, workload.spec.replicas
    # Scaled to nothing it is missed as soon as there are nodes whose pods ask for names.
    is_parked = wanted == 0 and not any(node.is_ready for node in snapshot.some(Node))
    if wanted is None or ready or is_parked:
        return Clear(f"coredns has {ready} of {wanted or 0} pods ready")
    return Match(
        f"coredns has {ready} of {wanted} pods ready" if wanted else "coredns is scaled to 0 pods",
        facts={"ready": str(ready)},
        cites=(workload.cite("status", f"{ready} of {wanted} ready"),),
    )


RULE = Rule(
    title="CoreDNS does not run, so no name resolves in the cluster",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        serves_no_names,
        Signature(
            pattern=r"\bcoredns-[a-z0-9]+-[a-z0-9]+ 0/\d+ (?:CrashLoopBackOff|Error|ImagePullBackOff)|\[FATAL\] Failed to initialize server",
            says="CoreDNS is down",
            sample="coredns-845757d86-7xjqb   0/1     CrashLoopBackOff   12   78m",
            near_miss="coredns-845757d86-7xjqb   1/1     Running   0   78m",
        ),
    ),
    why="Every pod asks CoreDNS for names; when its pods are down, crash on a wrong custom configuration, or get no answer from the upstream DNS servers, names do not resolve anywhere in the cluster.",
    remedy=(
        Step(
            "See its pods and their log.",
            run=("kubectl", "logs", "-n", "kube-system", "-l", "k8s-app=kube-dns", "--tail=50"),
            risk=Risk.READ,
        ),
        Step(
            "See the custom configuration, the usual cause of a crash.",
            run=(
                "kubectl",
                "get",
                "configmap",
                "coredns-custom",
                "-n",
                "kube-system",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the custom configuration, then restart CoreDNS.",
            run=("kubectl", "rollout", "restart", "deployment/coredns", "-n", "kube-system"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n kube-system -l k8s-app=kube-dns wants READY",
        ),
        Step(
            "Where it was scaled to nothing, give it its pods back.",
            run=(
                "kubectl",
                "scale",
                "deployment/coredns",
                "-n",
                "kube-system",
                "--replicas=2",
            ),
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/coredns-custom",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/dns/basic-troubleshooting-dns-resolution-problems",
    ),
    leads_to=("network.dns_server_silent", "network.name_resolution_fails"),
    spreads=True,
)
