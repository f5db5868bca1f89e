from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The init container of a sidecar ran a second time in the same pod and finds its own iptables rules",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"-N ISTIO_\w+ (?:\S{1,80} )?iptables: Chain already exists|(?:ISTIO_|PROXY_INIT_).{0,200}?iptables: (?:Chain already exists|Too many links)|< iptables: Too many links",
            says="the chains of the mesh are there already",
            sample="+ iptables -t nat -N ISTIO_REDIRECT iptables: Chain already exists. + dump",
            near_miss="+ iptables -t nat -N ISTIO_REDIRECT + iptables -t nat -A ISTIO_REDIRECT -p tcp -j REDIRECT --to-port 15001",
            weight=TYPICAL,
        ),
    ),
    why="The rules belong to the network of the pod, which outlives its containers. When the ended init container was removed from the node (a prune of the runtime, garbage collection) or the pod was restarted as a whole, the kubelet starts it again, and older versions of istio-init and linkerd-init end with an error when the chains are there.",
    remedy=(
        Step(
            "Delete the pod: its successor has a network of its own.",
            run=("kubectl", "delete", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n {namespace} shows the new pod ready",
        ),
        Step(
            "Stop jobs that prune containers on the nodes, and take a version of the mesh whose init container may run again."
        ),
    ),
    docs=("https://istio.io/latest/docs/ops/deployment/application-requirements/",),
    leads_to=("kubernetes.crash_loop", "kubernetes.init_container_waits"),
    ask="kubectl logs {pod} -n {namespace} -c istio-init",
)
