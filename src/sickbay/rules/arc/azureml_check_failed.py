from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The health check of the Azure Machine Learning extension found the cluster unfit (E40001 to E49999)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"Status: Failed Name: (?P<check>[\w-]+) ErrorCode: (?P<code>E4\d{4}) ErrorMessage: (?P<error>[^\n]{3,120}?)(?: Status: |$)|\b(?P<other>E4\d{4})\b.{0,40}?(?P<name>LOAD_BALANCER_NOT_SUPPORT|INSUFFICIENT_NODE|INVALID_SSL_SETTING|PROMETHEUS_CONFLICT|BAD_NETWORK_CONNECTIVITY|AZUREML_FE_\w+_CONFLICT)",
            says="the check {check} failed with {code}",
            sample="Status: Failed Name: inferencev1 ErrorCode: E45005 ErrorMessage: Azureml Fe deployment confict",
            near_miss="Status: Passed Name: inferencev1",
        ),
        Signature(
            pattern=r"(?i)hooks? failed: pod healthcheck failed|failed pre-(?:install|upgrade|rollback): pod healthcheck failed",
            says="the health check of the extension failed",
            sample="release azureml failed, and has been uninstalled due to atomic being set: failed pre-install: pod healthcheck failed",
            near_miss="release azureml deployed: pre-install: pod healthcheck succeeded",
            weight=TYPICAL,
        ),
    ),
    why="Before it is installed or updated, the extension runs a check and refuses the cluster with a code: E40001 no load balancer, E40002 too few nodes for high availability, E40003 no internal load balancer, E40007 certificate, E45002 another Prometheus operator, E45003 endpoints not reached, E45004 and E45005 an old azureml-fe in the way, E45006 instance types.",
    remedy=(
        Step(
            "Read the report.",
            run=(
                "kubectl",
                "describe",
                "configmap",
                "-n",
                "azureml",
                "arcml-healthcheck",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what the code names: set inferenceRouterServiceType to nodePort or clusterIP (E40001), inferenceRouterHA=false (E40002), installPromOp=false (E45002), open the endpoints (E45003), delete the old azureml-fe objects (E45004, E45005).",
        ),
        Step(
            "Create the extension again.",
            run=(
                "az",
                "k8s-extension",
                "create",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "connectedClusters",
                "-n",
                "<extension>",
                "--extension-type",
                "Microsoft.AzureML.Kubernetes",
            ),
            risk=Risk.SAFE,
            verify="az k8s-extension show wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/machine-learning/how-to-troubleshoot-kubernetes-extension",
    ),
    leads_to=(
        "arc.extension_failed",
        "kubernetes.job_failed",
    ),
    ask="kubectl describe configmap -n azureml arcml-healthcheck",
)
