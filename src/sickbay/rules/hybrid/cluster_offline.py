from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The AKS hybrid cluster is offline: it is not connected to Azure",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)this cluster (?:isn't|is not|isn.t) connected to Azure",
            says="the portal shows the cluster as not connected to Azure",
            sample="This cluster isn't connected to Azure.",
            near_miss="This cluster is connected to Azure.",
            weight=SYMPTOM,
        ),
    ),
    why="The Arc agents inside the cluster report to Azure at short intervals; when they never connected or stopped connecting, Azure can neither show nor manage the cluster.",
    remedy=(
        Step(
            "See when the agents last reported.",
            run=(
                "az",
                "connectedk8s",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "{status:connectivityStatus,last:lastConnectivityTime}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Look at the state of the cloud services network and of the isolation domain below the cluster first, since the agents leave through them.",
            run=("az", "networkcloud", "cloudservicesnetwork", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Look at the agents themselves.",
            run=("kubectl", "get", "pods", "-n", "azure-arc", "-o", "wide"),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/diagnose-connection-issues",
    ),
)
