from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A connected cluster resource of this name already exists for a different Kubernetes cluster",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)connected cluster resource (?P<name>[\w.-]+) already exists .{0,160}?different Kubernetes cluster|\bAZK8S0404\b|ConnectedClusterResourceAlreadyExists",
            says="the name belongs to another cluster",
            sample="The connected cluster resource c1 already exists  in the resource group rg1 and corresponds to a different Kubernetes cluster. To onboard this Kubernetes cluster to Azure, specify different resource name or resource group name.",
            near_miss="The connected cluster resource c1 was created in the resource group rg1",
        ),
    ),
    why="A connected cluster resource holds the public key of one cluster. The resource of this name was made for another cluster, so this one cannot take it.",
    remedy=(
        Step(
            "See to which cluster the resource belongs.",
            run=(
                "az",
                "connectedk8s",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Connect under another name or in another group.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "<other-name>",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n <other-name> --query connectivityStatus wants Connected",
        ),
        Step(
            "If the other cluster is gone, delete the resource first.",
            run=(
                "az",
                "connectedk8s",
                "delete",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",),
)
