from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The route to the pods of a kubenet node could not be written (FailedToCreateRoute)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"\bFailedToCreateRoute\b|RouteController failed to create a route|Could not create route [\w-]+ (?P<range>[\d.]+/\d+) for node (?P<node>[\w.-]+)",
            says="the route to the pods of a node was not made",
            sample="Warning   FailedToCreateRoute     route_controller   Could not create route fc55f84c 10.244.2.0/24 for node aks-np1-12345678-vmss000002 after 80.285384ms: timed out waiting for the condition",
            near_miss="Created route for node aks-np1-12345678-vmss000002 10.244.2.0/24",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="With kubenet the cloud provider writes a route for the pod range of each node into the route table. The table or the node's machine is not found, the identity of the cluster may not write it, or Azure throttles; until it is there, pods of other nodes do not reach this one. A virtual node has no machine, and needs no route.",
    remedy=(
        Step(
            "See which route tables there are.",
            run=("az", "network", "route-table", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Give the cluster's identity Network Contributor on the table, and let all subnets of the cluster use that one.",
            verify="kubectl get events shows no further FailedToCreateRoute",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/configure-kubenet",),
    leads_to=("network.pod_route_missing",),
    ask="az network route-table list -o json",
)
