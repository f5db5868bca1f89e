from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The appliance VM cannot pull its container images: the registry URL is not reachable (FailFastPodCondition)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)back-?off pulling image.{0,300}?FailFastPodCondition|FailFastPodCondition.{0,300}?back-?off pulling image",
            says="an image of the appliance is not pulled",
            sample='Error: Back-off pulling image "mcr.microsoft.com/oss/kubernetes/pause:3.6": FailFastPodCondition',
            near_miss='Back-off pulling image "mcr.microsoft.com/oss/kubernetes/pause:3.6"',
        ),
    ),
    why="Pods inside the appliance wait for images (`back-off pulling image … FailFastPodCondition`) because the appliance VM has no way to the URL in the message: the firewall, the proxy or missing internet access of its addresses.",
    remedy=(
        Step(
            "Try the registry from the network of the appliance.",
            run=(
                "curl",
                "-v",
                "https://mcr.microsoft.com/v2/",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the required URLs for every appliance VM IP and for the control plane IP, or correct the proxy settings.",
        ),
        Step(
            "Repeat the deployment.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=(
        "arc.kva_timeout",
        "kubernetes.registry_unreachable",
        "arc.url_unreachable",
    ),
    ask="curl -v https://mcr.microsoft.com/v2/ from a machine in the network of the appliance",
)
