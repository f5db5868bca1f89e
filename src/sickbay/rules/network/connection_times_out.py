from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Connections time out: something on the way is blocked, or nothing answers (load balancer, NSG, firewall, pod)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"curl: \(28\) |(?i:Failed to connect to (?P<host>[\w.:-]+) port (?P<port>\d+)[^:]{0,40}: (?:Connection )?Timed out)",
            says="a connection timed out",
            sample="curl: (28) Failed to connect to 10.81.1.4 port 80 after 21033 ms: Timed out",
            near_miss="* Connected to 20.62.1.4 (20.62.1.4) port 80 (#0)",
            weight=SYMPTOM,
        ),
    ),
    why="A connection that times out, rather than being refused, had its packets dropped: by a network security group, a firewall, a network policy or a wrong route, or by pods that are restarting (intermittent timeouts).",
    remedy=(
        Step(
            "See whether the service has healthy endpoints.",
            run=("kubectl", "get", "endpointslices", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "See which rule decides on the way to the nodes.",
            run=(
                "az",
                "network",
                "nic",
                "list-effective-nsg",
                "--resource-group",
                "{node_resource_group}",
                "--name",
                "<nic>",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/connection-issues-application-hosted-aks-cluster",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/custom-nsg-blocks-traffic",
    ),
)
