from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program listens on an address that is not its own (bind: cannot assign requested address)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)(?:bind|listen)\w*\b.{0,120}?\b(?:cannot assign requested address|address not available|EADDRNOTAVAIL)|(?:cannot assign requested address|address not available)\b.{0,60}?(?:while (?:binding|listening)|: bind\b)|EADDRNOTAVAIL: address not available [\d.:a-f]{2,40}:\d{1,5}\s+at Server\.|BindException: Cannot assign requested address",
            says="a program wants to listen on an address that is not there",
            sample="listen tcp 10.0.0.9:8080: bind: cannot assign requested address",
            near_miss="dial tcp 10.0.0.9:8080: connect: connection refused",
            weight=TYPICAL,
            unless=r"169\.254\.(?:10\.1[01]|20\.10)\b",
        ),
    ),
    why="A program may listen only on addresses of its own machine: in a pod its own address and localhost, and ::1 or :: only where the pod has IPv6. The setting names a fixed address (of an earlier pod, of the service, of the load balancer) or the name of another host.",
    remedy=(
        Step(
            "See which addresses the pod has.",
            run=("kubectl", "get", "pod", "<pod>", "-o", "jsonpath={.status.podIPs}"),
            risk=Risk.READ,
        ),
        Step(
            "Let it listen on 0.0.0.0 (:: where there is IPv6), or take the address from status.podIP by the downward API.",
            risk=Risk.SAFE,
            verify="the program says that it listens",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/pods/downward-api/#downwardapi-fieldRef",),
    leads_to=("kubernetes.program_fails", "kubernetes.crash_loop"),
    ask="kubectl get pod <pod> -o jsonpath={.status.podIPs}",
)
