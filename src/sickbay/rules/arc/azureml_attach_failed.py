from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Attaching the cluster to the Azure Machine Learning workspace failed (Kubernetes compute)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)az ml compute attach.{0,600}?(?:Provisioning error|internal server error)|\bComputeTargetException\b.{0,400}?(?:non-successful terminal state|provisioning)|AzureML extension is not installed in the cluster",
            says="the cluster was not attached",
            sample="azureml.exceptions.ComputeTargetException: Message: Compute object provisioning polling reached non-successful terminal state, current provisioning state: Failed",
            near_miss="Compute object provisioning Succeeded",
            weight=TYPICAL,
        ),
    ),
    why="A workspace takes a cluster on which the extension Microsoft.AzureML.Kubernetes is installed and Succeeded, through Azure Relay. The extension is missing or Failed, its pods do not run, Microsoft.Relay is not registered, or the namespace given does not exist.",
    remedy=(
        Step(
            "See the extension.",
            run=(
                "az",
                "k8s-extension",
                "list",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "connectedClusters",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See its health report.",
            run=(
                "kubectl",
                "describe",
                "configmap",
                "arcml-healthcheck",
                "-n",
                "azureml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Register what the relay needs.",
            run=(
                "az",
                "provider",
                "register",
                "-n",
                "Microsoft.Relay",
                "--wait",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Attach again.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/machine-learning/how-to-troubleshoot-kubernetes-compute",
    ),
    leads_to=("aks.request_refused",),
    ask="kubectl describe configmap arcml-healthcheck -n azureml",
)
