from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Nothing listens on the port of a pod to which a service or kubectl forwards",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"probe on node (?P<node>[\w.-]{1,253}): pod (?P<namespace>[\w.-]{1,253})/(?P<pod>[\w.-]{1,253}) refuses connections on (?P<address>[\da-f.:]{3,60}): connect: connection refused",
            says="{namespace}/{pod} refuses connections on {address}, which a service forwards to",
            sample="probe on node aks-np1-1-vmss000000: pod shop/web-7b94d-jqwpz refuses connections on 10.244.1.3:9090: connect: connection refused",
            near_miss="probe on node aks-np1-1-vmss000000: pod shop/web-7b94d-jqwpz does not answer on 10.244.1.3:9090: i/o timeout",
        ),
        Signature(
            pattern=r"error forwarding port (?P<port>\d+) to pod .{0,300}?[Cc]onnection refused",
            says="nothing listens on port {port} in the pod",
            sample='E0412 10:22:11.113742 19012 portforward.go:407] an error occurred forwarding 8080 -> 80: error forwarding port 80 to pod 5c1f, uid : failed to connect to localhost:80 inside namespace "5c1f", IPv4: dial tcp4 127.0.0.1:80: connect: connection refused',
            near_miss="Forwarding from 127.0.0.1:8080 -> 80",
        ),
    ),
    why="The pod was reached and refused at once, so the network is well and no program in it listens on that port of its address: it listens on another port, on 127.0.0.1 only, or is still starting while its readiness probe already passes.",
    remedy=(
        Step(
            "See which ports its containers declare and what it says when it starts.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Let the program listen on 0.0.0.0 (or ::) and on the port that the service names as targetPort, or correct targetPort."
        ),
        Step(
            "Give the pod a readiness probe on that very port, so that it gets no traffic before."
        ),
    ),
    leads_to=(
        "network.backend_refuses",
        "network.connection_refused",
    ),
    docs=("https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",),
    ask="kubectl port-forward pod/{pod} -n {namespace} 8080:<port>",
)
