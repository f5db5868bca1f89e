from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A controller loses its leader lease and ends: the API server answers it too slowly or not at all",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)leader ?election lost|leadership lost|lost leader(?:ship|election| lease| election)|(?:F\d{4} |fatal|panic|exit).{0,120}?stopped leading|leader_election\.go:\d+\] stopped leading|not (?:the )?leader any ?more|error (?:retrieving|initially creating) (?:resource|leader election) (?:lock|record) .{0,120}?(?:has prevented the request from succeeding|timed out|timeout|context deadline exceeded|EOF)|failed to renew lease (?P<lease>[\w./-]+)|failed to update leader lock",
            says="a controller could not renew its leader lease and gave up",
            sample="E0716 11:24:21.487916       1 main.go:98] problem running manager: leader election lost",
            near_miss="successfully acquired lease kube-system/cert-manager-controller",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="A controller that runs in several copies holds a lease in the API server and renews it every few seconds. If the API server is overloaded, restarts or cannot be reached, or the pod gets no CPU, the renewal misses its deadline (about ten seconds), and the controller ends itself on purpose, so that two never lead at once; its container is restarted.",
    remedy=(
        Step(
            "See whether many controllers restarted at the same time: then the API server or the way to it was slow.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "--sort-by=.status.containerStatuses[0].restartCount",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See how the API server fares.",
            run=(
                "kubectl",
                "get",
                "--raw",
                "/metrics",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If only this one restarts, raise its CPU request and limit; if many do, use a higher tier of the control plane and find who floods the API server.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -A wants restart counts that stand still",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/architecture/leases/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/troubleshoot-apiserver-etcd",
    ),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl get events -A --field-selector reason=LeaderElection",
)
