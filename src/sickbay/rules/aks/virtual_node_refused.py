from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A virtual node (ACI) could not run a pod: Azure Container Instances refused or lost it (ProviderFailed)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.SCALING),
    detect=(
        Signature(
            pattern=r"\bProvider(?:Failed|CreateFailed|UpdateFailed|CreateError)\b|\bACI does not support\b|error setting up network profile: subnet |containerinstance\.ContainerGroupsClient#\w+: Failure|virtual-node-aci\S*.{0,200}?(?i:failed|error)\b|\bContainerGroupQuotaReached\b",
            says="the container group of a pod was not made",
            sample="Warning  ProviderCreateFailed  4s (x5 over 40s)  virtual-node-aci-linux/pod-controller  ACI does not support providing args without specifying the command.",
            near_miss="Normal  ProviderCreateSuccess  4s  virtual-node-aci-linux/pod-controller  Create pod in provider successfully",
            weight=TYPICAL,
        ),
    ),
    why="A virtual node hands each pod to Azure Container Instances as a container group. That service does not know all of Kubernetes (host paths, host networking, daemon sets, args without command, some volumes), has quotas and regions of its own, needs a delegated subnet, and pulls images without the kubelet's identity; what it refuses stays Pending.",
    remedy=(
        Step(
            "Read the event of the pod and the log of the connector.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "-l",
                "app=aci-connector-linux",
                "--tail=100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See the container groups and their events.",
            run=("az", "container", "list", "-g", "{node_resource_group}", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Change what the service does not offer, or keep the pod on an ordinary node pool (no toleration of virtual-kubelet.io/provider)."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/virtual-nodes",),
    leads_to=("kubernetes.pod_pending",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
