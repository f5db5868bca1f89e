from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Cluster API cluster on Azure waits for its infrastructure: it has no control plane endpoint yet",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"failed to retrieve Spec\.ControlPlaneEndpoint from infrastructure provider for Cluster \W{0,3}(?P<cluster>[\w.-]+)",
            says="the infrastructure of {cluster} has delivered no control plane endpoint",
            sample='"Reconciler error" err="failed to retrieve Spec.ControlPlaneEndpoint from infrastructure provider for Cluster \\"lab-aks\\" in namespace \\"lab-aks\\"',
            near_miss="ControlPlaneEndpoint of Cluster lab-aks is set",
            weight=SYMPTOM,
        ),
    ),
    why="Cluster API takes the address of the API server from the AzureCluster or AzureManagedCluster, which CAPZ and ASO fill in when load balancer or AKS cluster exist. Until then everything behind it waits; the conditions of those objects say why.",
    remedy=(
        Step(
            "Read the conditions of the infrastructure objects, from the cluster down.",
            run=("clusterctl", "describe", "cluster", "{cluster}", "--show-conditions", "all"),
            risk=Risk.READ,
        ),
        Step(
            "Read what ASO says of the Azure resources behind them.",
            run=("kubectl", "get", "azure", "-A"),
            risk=Risk.READ,
        ),
    ),
    docs=("https://capz.sigs.k8s.io/managed/troubleshooting",),
    ask="clusterctl describe cluster {cluster} --show-conditions all",
)
