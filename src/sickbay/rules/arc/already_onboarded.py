from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Kubernetes cluster is already onboarded to Arc under another resource",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)kubernetes cluster(?: you are trying to onboard)? is already onboarded|Agents corresponding to some other resource are already installed on this cluster|addons\.msft\.microsoft \"?\S{1,80}-arc-onboarding\"? already exists|\bAZK8S0403\b",
            says="the cluster or the name is already taken",
            sample="The kubernetes cluster is already onboarded. Please check if the Kubeconfig is pointing to the correct cluster using command: kubectl config current-context.",
            near_miss="The kubernetes cluster was onboarded",
        ),
    ),
    why="A cluster can be connected once, and a connected cluster resource belongs to one cluster. Either this cluster is already connected under another name, or the resource of this name already exists for a different cluster, or the kubeconfig points to another cluster than meant.",
    remedy=(
        Step(
            "See which cluster the kubeconfig means.",
            run=(
                "kubectl",
                "config",
                "current-context",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See under which resource it is connected.",
            run=(
                "kubectl",
                "get",
                "configmap",
                "-n",
                "azure-arc",
                "azure-clusterconfig",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Choose the right context, another resource name, or delete the old connection first.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster",
    ),
)
