from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Cluster API cluster on Azure (CAPZ) is not ready: part of its infrastructure is missing or could not be made",
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
        Signature(
            pattern=r"\b(?P<service>publicips|inboundnatrules|loadbalancers?|networkinterfaces?|virtualnetworks?|virtualnetwork|subnets?|natgateways?|routetables?|securitygroups?|privatedns|privateendpoints?|bastionhosts?|virtualmachine|scalesets?|managedcluster|agentpools?|vnetpeerings?|vmextensions|roleassignments|disks|group) failed to (?:create or update|delete)\. err: ",
            says="CAPZ could not create, update or delete: {service}",
            sample="message: 'publicips failed to create or update. err: the teapot is not in the mood'",
            near_miss="message: 'publicips creating or updating'",
            unless=r"is not done",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"\b(?:Reason|reason)\W{1,12}(?P<reason>VMProvisionFailed|VMCreating?Failed|MachineHasFailure)\b|\bFailureReason: \S{1,40} .{0,20}?MachineHasFailure",
            says="a machine is in failure ({reason})",
            sample="Reason: VMProvisionFailed Severity: Warning Status: False Type: Ready",
            near_miss="Reason: VMProvisioning Severity: Info Status: False Type: Ready",
            weight=SYMPTOM,
        ),
    ),
    why="Cluster API takes the address of the API server from the AzureCluster or AzureManagedCluster, which CAPZ and ASO fill in when load balancer or AKS cluster exist. Until then everything behind it waits. A part that could not be made is told with the answer of Azure (failed to create or update); the conditions of those objects say why.",
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
