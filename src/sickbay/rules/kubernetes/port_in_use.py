from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program cannot listen because its port is taken already (address already in use)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)(?:listen|bind).{0,200}?address already in use|\bEADDRINUSE\b|port \d+ (?:is|was) already (?:in use|allocated)|Failed to bind to address .{1,80}?: address already in use|Only one usage of each socket address",
            says="a port is taken already",
            sample="Error: listen tcp :8080: bind: address already in use",
            near_miss="Listening on :8080",
            weight=TYPICAL,
            unless=r"(?i)HttpRequestException|WebException|HttpClient|socket address.{0,120}?\([\w.-]+\.[\w.-]+:\d{2,5}\)|different port with --port|kube-proxy|nodePort|coredns|iptables",
            passes=True,
        ),
        Signature(
            pattern=r"can't open \"?nodePort for (?P<service>[^\"]{1,200})\".{0,120}?address already in use",
            says="the node port of {service} is taken on the node, so kube-proxy leaves it out",
            sample='proxier.go:1061] can\'t open "nodePort for shop/cart:http" (:31102/tcp), skipping this nodePort: listen tcp :31102: bind: address already in use',
            near_miss='proxier.go:1114] Opened local port "nodePort for shop/cart:http" (:31102/tcp)',
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"A server is already running\. Check \S{0,200}?server\.pid|(?:pid|PID) ?file .{0,120}?(?:already exists|exists already)|httpd \(pid \d+\) already running",
            says="an old pid file says that the program runs already",
            sample="A server is already running. Check /app/tmp/pids/server.pid.",
            near_miss="Writing pid file /app/tmp/pids/server.pid",
            weight=TYPICAL,
        ),
    ),
    why="All containers of a pod share one network, and pods with hostNetwork share it with the node: two of them listen on the same port, or the earlier process of a restarted container has not ended. A pid file that was left on a volume makes a program believe the same.",
    remedy=(
        Step(
            "See the ports of the containers.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.hostNetwork} {.spec.containers[*].ports}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give one of them another port, or leave hostNetwork out.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/pods/#pod-networking",),
    leads_to=(
        "kubernetes.crash_loop",
        "kubernetes.program_fails",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
