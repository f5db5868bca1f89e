from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A pod that is ready does not answer from another place in the cluster",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"probe on node (?P<node>[\w.-]{1,253}): pod (?P<namespace>[\w.-]{1,253})/(?P<pod>[\w.-]{1,253}) does not answer on (?P<address>[\da-f.:]{3,60}): i/o timeout",
            says="from {node} the pod {namespace}/{pod} does not answer on {address}",
            sample="probe on node aks-np1-1-vmss000000: pod shop/web-7b94d-jqwpz does not answer on 10.244.1.3:8080: i/o timeout",
            near_miss="probe on node aks-np1-1-vmss000000: pod shop/web-7b94d-jqwpz refuses connections on 10.244.1.3:8080: connect: connection refused",
            weight=TYPICAL,
        ),
    ),
    why="Packets to the pod, or its answers, are lost: a route to the pod range of its node is missing, a security group or firewall between the nodes drops them, the overlay of the network plugin is broken, or a policy denies them. A program that is merely busy still opens the connection.",
    remedy=(
        Step(
            "Ask whether policies, routes and security groups let the traffic pass.",
            run=("sickbay", "reach", "node/{node}", "pod/{namespace}/{pod}"),
            risk=Risk.READ,
        ),
        Step(
            "Try from the node on which the pod runs: if it answers there, the way between the nodes is cut."
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",),
    leads_to=(
        "network.connection_times_out",
        "network.dns_server_silent",
        "network.name_resolution_fails",
    ),
    spreads=True,
    ask="sickbay reach node/{node} pod/{namespace}/{pod}",
)
