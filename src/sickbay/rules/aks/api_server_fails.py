from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The API server answers with errors of its own: an outage or a defect of the control plane",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.UPGRADE),
    detect=(
        Signature(
            # As kubectl prints it: in the log of a program that tries again it is soon over.
            pattern=r"Error from server \(InternalError\): (?:an error on the server \(|Internal error occurred: (?:etcdserver|unexpected))",
            says="the API server answered with an error of its own",
            sample='Error from server (InternalError): an error on the server ("") has prevented the request from succeeding (get pods)',
            near_miss='watch of *v1.Service ended with: an error on the server ("unable to decode an event from the watch stream: http2: client connection lost") has prevented the request from succeeding',
            weight=TYPICAL,
            unless=r"failed calling webhook|Internal Server Error: .{0,3}/api|Internal Server Error: .{0,200}unknown|metrics\.k8s\.io|custom\.metrics|external\.metrics",
        ),
        Signature(
            pattern=r"Failed to list [\w*.]{3,80}: an error on the server \(\W{0,6}\) has prevented the request from succeeding",
            says="the API server answered a list with an error of its own",
            sample='Failed to list *v1beta1.CustomResourceDefinition: an error on the server ("") has prevented the request from succeeding (get customresourcedefinitions.apiextensions.k8s.io)',
            near_miss="Failed to list *v1.Pod: pods is forbidden",
            weight=TYPICAL,
            passes=True,
            vague=True,
        ),
    ),
    why="On AKS the API server and etcd belong to the platform. When the API server is reached and still fails without naming a client, a webhook or a limit of yours, the control plane has an outage or a defect, and only support sees its logs.",
    remedy=(
        Step(
            "See whether Azure knows of an incident of this cluster.",
            run=(
                "az",
                "rest",
                "--method",
                "get",
                "--url",
                "https://management.azure.com/subscriptions/{subscription}/resourceGroups/{resource_group}/providers/Microsoft.ContainerService/managedClusters/{cluster}/providers/Microsoft.ResourceHealth/availabilityStatuses/current?api-version=2025-05-01",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Ask the API server which of its own checks fails.",
            run=("kubectl", "get", "--raw", "/readyz?verbose"),
            risk=Risk.READ,
        ),
        Step(
            "Open a support request with the cluster's id, the exact UTC times and the full errors."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-node-virtual-machine-failed-state",
        "https://kubernetes.io/docs/reference/using-api/health-checks/",
    ),
    leads_to=("aks.operation_failed", "aks.cluster_failed"),
    ask="kubectl get --raw /readyz?verbose",
)
