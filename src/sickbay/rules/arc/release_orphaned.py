from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Helm release azure-arc is left over: its namespace, configuration or Azure resource is gone",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)helm release 'azure-arc' is present but (?:the )?azure-arc namespace/configmap is missing|There exist no ConnectedCluster resource corresponding to this kubernetes Cluster|Unable to read ConfigMap 'azure-clusterconfig' in 'azure-arc' namespace",
            says="agents of an earlier onboarding are left over",
            sample="The helm release 'azure-arc' is present but the azure-arc namespace/configmap is missing. Please run 'helm delete azure-arc --namespace azure-arc-release --no-hooks' to cleanup the release before onboarding the cluster again.",
            near_miss="Step: Found an earlier instance of azure-arc release",
        ),
    ),
    why="The release azure-arc, the ConfigMap azure-clusterconfig and the connected cluster resource belong together. The resource was deleted in Azure, or the namespace azure-arc by hand, while the release stayed, so the agents can be neither updated nor onboarded again before it is cleaned up.",
    remedy=(
        Step(
            "Remove the release that is left.",
            run=(
                "helm",
                "delete",
                "azure-arc",
                "--namespace",
                "azure-arc-release",
                "--no-hooks",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Connect the cluster again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="kubectl get pods -n azure-arc shows all agents Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster",
    ),
    leads_to=(
        "arc.agent_offline",
        "arc.connection_failed",
    ),
    ask="helm list -A --filter azure-arc",
)
