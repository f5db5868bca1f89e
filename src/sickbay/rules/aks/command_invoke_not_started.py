from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The pod of az aks command invoke could not start on the cluster",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\bKubernetesPerformanceError\b|(?i:container command-\w+ in aks-command namespace did not start)|(?i:Failed to run command (?:due to cluster perf issue|in managed cluster))",
            says="the command pod did not start",
            sample="(KubernetesPerformanceError) Failed to run command due to cluster perf issue, container command-357e in aks-command namespace did not start within 30s on your cluster, retry may helps.",
            near_miss="command started in aks-command namespace: exit code 0",
            weight=TYPICAL,
        ),
    ),
    why="Run command (`az aks command invoke`) starts a pod in the namespace aks-command. No node had room for it in time, its image could not be pulled, or an admission webhook denied it.",
    remedy=(
        Step(
            "See what became of the pod.",
            run=("kubectl", "get", "events", "-n", "aks-command", "--sort-by", ".lastTimestamp"),
            risk=Risk.READ,
        ),
        Step(
            "Make room for it (a node more, or requests lower), or exempt aks-command from the policy that denies it.",
            risk=Risk.SAFE,
            verify="az aks command invoke wants exit code 0",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/access-private-cluster",),
    ask="kubectl get events -n aks-command -o json",
)
