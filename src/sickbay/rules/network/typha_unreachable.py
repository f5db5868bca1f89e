from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="calico-node finds or reaches no Typha, so its nodes get no routes and policies from the API server",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"Failed to connect to Typha|Typha discovery enabled but discovery failed|Unable to get Typha service|services \"?calico-typha\"? not found|connection to typhas .{0,400}?failed|Failed to read from server connection=&discovery\.Typha",
            says="calico-node has no connection to Typha",
            sample="2020-01-09 10:04:51.480 [FATAL][4750] daemon.go 445: Failed to connect to Typha error=dial tcp 10.0.199.228:5473: connect: connection refused",
            near_miss="[INFO][53] sync_client.go 305: Connected to Typha on retry.",
        ),
        Signature(
            pattern=r"not enough linux nodes to schedule typha pods on, require (?P<wanted>\d+) and have (?P<nodes>\d+)|Failed to (?:auto)?scale typha",
            says="the operator of Calico has no Linux node for Typha",
            sample='{"level":"error","logger":"typha_autoscaler","msg":"Failed to autoscale typha","error":"not enough linux nodes to schedule typha pods on, require 1 and have 0"}',
            near_miss='{"level":"info","logger":"typha_autoscaler","msg":"Scaled typha to 3 replicas"}',
            weight=TYPICAL,
        ),
    ),
    why="Typha stands between the API server and the calico-node pods and listens on port 5473 of its nodes. No Typha pod runs (no Linux node that it tolerates, its host port taken on each of them, its service deleted), or a security group or firewall between the nodes closes 5473. Nodes that start in the meantime stay without a network, others keep old policies.",
    remedy=(
        Step(
            "See whether Typha runs, on which nodes, and what keeps it from starting.",
            run=("kubectl", "get", "pods", "-A", "-l", "k8s-app=calico-typha", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "See whether its service has addresses.",
            run=("kubectl", "get", "endpoints", "calico-typha", "-n", "calico-system"),
            risk=Risk.READ,
        ),
        Step(
            "Give it room: a ready Linux node for each replica in a system pool without taints of your own, and TCP 5473 open between all nodes.",
        ),
        Step(
            "Restart the agents that lost it.",
            run=("kubectl", "rollout", "restart", "daemonset/calico-node", "-n", "calico-system"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n calico-system -l k8s-app=calico-node wants every pod ready",
        ),
    ),
    docs=(
        "https://docs.tigera.io/calico/latest/reference/typha/overview",
        "https://learn.microsoft.com/azure/aks/use-network-policies",
    ),
    leads_to=(
        "network.cni_agent_down",
        "kubernetes.cni_not_ready",
        "network.connection_times_out",
        "network.connection_refused",
    ),
    ask="kubectl get pods -A -l k8s-app=calico-typha -o wide",
)
