from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Hubble relay cannot reach the Cilium agents, so flows are not observed (ACNS, hubble-peer)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)Failed to create peer client for peers synchronization|hubble-(?:relay|ui)\b.{0,200}?(?:context deadline exceeded|connection refused)|failed to connect to hubble(?: relay)?|hubble observe.{0,120}?(?:connection refused|deadline exceeded)",
            says="Hubble gets no flows",
            sample='hubble-relay: level=warning msg="Failed to create peer client for peers synchronization; will try again after the timeout has expired" error="context deadline exceeded" target="hubble-peer.kube-system.svc.cluster.local:443"',
            near_miss='level=info msg="Connected" address="10.224.0.4:4244" subsys=hubble-relay',
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="Hubble relay asks the Cilium agents of all nodes on TCP 4244 (found by the service hubble-peer, with certificates of its own). DNS that fails, a policy or NSG that blocks 4244 between nodes, or expired certificates leave it without flows; traffic of pods itself goes on.",
    remedy=(
        Step(
            "See relay and agents.",
            run=("kubectl", "get", "pods", "-n", "kube-system", "-l", "k8s-app=hubble-relay"),
            risk=Risk.READ,
        ),
        Step(
            "Allow TCP 4244 between nodes, renew the certificates (job hubble-generate-certs), and restart the relay.",
            run=("kubectl", "rollout", "restart", "deployment/hubble-relay", "-n", "kube-system"),
            risk=Risk.DISRUPTIVE,
            verify="hubble observe shows flows",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/container-network-observability-logs",
        "https://docs.cilium.io/en/stable/observability/hubble/",
    ),
    ask="kubectl logs -n kube-system deployment/hubble-relay --tail=50",
)
