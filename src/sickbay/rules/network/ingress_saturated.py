from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ingress controller is at a limit of its own: connections or open files",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\d+ worker_connections are not enough|(?:socket|accept4?)\(\) failed \(24: Too many open files\)|\bdownstream_cx_overflow\b",
            says="the controller is at its limit of connections",
            sample="2026/01/01 10:00:00 [alert] 23#23: 1024 worker_connections are not enough",
            near_miss="16384 worker_connections",
        ),
    ),
    why="A worker of NGINX or Envoy holds as many connections or files as it may, so that new requests wait or fail although the pods behind it are well.",
    remedy=(
        Step(
            "Raise max-worker-connections and max-worker-open-files in the config map of the controller, or run more replicas."
        ),
        Step(
            "Look at its load.",
            run=(
                "kubectl",
                "top",
                "pods",
                "-A",
            ),
            risk=Risk.READ,
        ),
    ),
    leads_to=("network.connection_times_out",),
    docs=("https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/configmap/",),
    ask="kubectl top pods -A",
)
