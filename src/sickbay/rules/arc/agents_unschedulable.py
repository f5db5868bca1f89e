from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Arc agents' pods are pending: no node can take them (AZK8S0512)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"\bAZK8S0512\b|(?i:Azure Arc agent pods (?:are pending|could not be scheduled))",
            says="pods of the agents are pending",
            sample="[AZK8S0512] Azure Arc agent pods are pending or could not be scheduled.",
            near_miss="Azure Arc agent pods are scheduled",
        ),
        Signature(
            pattern=r"(?i)ensure that this Kubernetes cluster has any nodes with OS 'linux'|ArcK8sSupportedOSArchitecture",
            says="no Linux node was found",
            sample="Please ensure that this Kubernetes cluster has any nodes with OS 'linux', for scheduling the Arc-Agents onto and connecting to Azure. Learn more at https://aka.ms/ArcK8sSupportedOSArchitecture",
            near_miss="This Kubernetes cluster has nodes with OS 'linux'",
        ),
    ),
    why="The agents need room on Linux nodes (about 850 MB of memory and 7 % of a CPU) without taints that they do not tolerate. Pods of azure-arc that stay Pending or unschedulable end the onboarding in a Helm timeout.",
    remedy=(
        Step(
            "See why.",
            run=(
                "kubectl",
                "describe",
                "pods",
                "-n",
                "azure-arc",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add a Linux node (amd64 or arm64), free resources, or remove taints and selectors that keep the agents off.",
        ),
        Step(
            "Connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {name} --query connectivityStatus wants Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
    leads_to=(
        "arc.onboarding_timeout",
        "arc.agents_not_running",
    ),
    ask="kubectl describe pods -n azure-arc",
)
