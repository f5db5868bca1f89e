from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Hubble drops flow events: its queue or ring buffer is full, so flows and metrics are incomplete",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"hubble events queue is full|hubble_lost_events_total\S{0,160} (?:[1-9]\d*|[1-9][\d.]*e\+\d+)",
            says="Hubble could not keep up with the flows",
            sample='level=warning msg="hubble events queue is full: dropping messages; consider increasing the queue size (hubble-event-queue-size) or provisioning more CPU" subsys=hubble',
            near_miss='level=info msg="Hubble server ready" eventQueueSize=8192 maxFlows=4095 subsys=hubble',
            weight=TYPICAL,
            common=True,
        ),
    ),
    why="The Cilium agent hands what it sees to Hubble through a queue. In a burst of new connections, or with little CPU, that queue fills up and events are dropped. The traffic of pods goes on; flow logs and the metrics made of them have holes. On AKS the sizes are set by AKS.",
    remedy=(
        Step(
            "See how much is lost on which node.",
            run=(
                "kubectl",
                "exec",
                "-n",
                "kube-system",
                "ds/cilium",
                "--",
                "cilium-dbg",
                "metrics",
                "list",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Spread programs that open many short connections over more nodes, or let them reuse connections; take larger VM sizes."
        ),
        Step(
            "On a Cilium of your own raise hubble-event-queue-size and hubble-event-buffer-capacity."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/container-network-observability-guide",),
    ask="kubectl logs -n kube-system ds/cilium | grep hubble",
)
