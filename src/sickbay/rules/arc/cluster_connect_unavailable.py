from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Cluster connect has no agent: the feature is not enabled, or its agent cannot reach Azure",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)no agent is connected in the target arc resource|hybrid connection .{0,80}?(?:no (?:agent|listener)|does not exist)|There are no listeners connected for the endpoint",
            says="no agent of cluster connect is connected",
            sample="Cannot connect to the hybrid connection because no agent is connected in the target arc resource.",
            near_miss="Connected to the hybrid connection of the target arc resource",
            weight=SYMPTOM,
        ),
    ),
    why="`az connectedk8s proxy` finds no agent on the other side (Cannot connect to the hybrid connection because no agent is connected in the target arc resource): the cluster-connect feature is disabled so that clusterconnect-agent and kube-aad-proxy do not exist, or they run and websockets are blocked.",
    remedy=(
        Step(
            "See whether the agent exists.",
            run=(
                "kubectl",
                "get",
                "deployment",
                "-n",
                "azure-arc",
                "clusterconnect-agent",
                "kube-aad-proxy",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Enable the feature.",
            run=(
                "az",
                "connectedk8s",
                "enable-features",
                "--features",
                "cluster-connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Start the proxy again.",
            run=(
                "az",
                "connectedk8s",
                "proxy",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/cluster-connect",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
    ask="kubectl get deployment -n azure-arc clusterconnect-agent kube-aad-proxy",
)
