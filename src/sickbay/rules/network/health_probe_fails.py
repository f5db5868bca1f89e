from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The health probe of the load balancer fails, so it sends no traffic to the nodes",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)(?:load ?balancer|\bLB\b|backend (?:pool|instance|address)).{0,160}?health ?probes?(?: status)?.{0,120}?(?:\bunhealthy\b|\bdown\b|\bfailed\b|\bfailing\b)|health ?probes?.{0,120}?(?:load ?balancer|backend (?:pool|instance)).{0,120}?(?:\bunhealthy\b|\bdown\b|\bfailed\b|\bfailing\b)|(?:DipAvailability|Health Probe Status)\"?[^\d]{0,40}\b0(?:\.0+)?(?:[^.\d]|$)",
            says="the load balancer holds its backends for unhealthy",
            sample="Load balancer kubernetes: health probe status of backend pool kubernetes: 3 of 3 instances Unhealthy",
            near_miss="Load balancer kubernetes: health probe status of backend pool kubernetes: 3 of 3 instances Healthy",
            weight=TYPICAL,
        ),
    ),
    why="Azure's load balancer asks each node on the probe port and leaves out those that do not answer well. A probe path that the program does not serve (it must answer 200), a wrong port or protocol in the annotations, externalTrafficPolicy Local without a pod on the node, or a security group that blocks 168.63.129.16 (AzureLoadBalancer) make all of them fail.",
    remedy=(
        Step(
            "See the probes.",
            run=(
                "az",
                "network",
                "lb",
                "probe",
                "list",
                "--resource-group",
                "{node_resource_group}",
                "--lb-name",
                "kubernetes",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See the service: ports, externalTrafficPolicy and annotations.",
            run=("kubectl", "describe", "service", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Let the probe ask a path that answers 200.",
            run=(
                "kubectl",
                "annotate",
                "service",
                "<service>",
                "-n",
                "{namespace}",
                "service.beta.kubernetes.io/azure-load-balancer-health-probe-request-path=<path>",
                "--overwrite",
            ),
            verify="the metric DipAvailability of the load balancer is 100",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/load-balancer-standard",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/connection-issues-application-hosted-aks-cluster",
    ),
    leads_to=("network.connection_times_out",),
    ask="az network lb probe list --resource-group {node_resource_group} --lb-name kubernetes",
)
