from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The identity certificate of the Arc agents never arrived in the cluster",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"\bAZK8S0309\b|(?i:Unable to pull MSI certificate)|(?:secret|MountVolume.SetUp failed.{0,160}?secret) \"?(?P<secret>azure-identity-certificate|kube-aad-proxy-certificate)\"? not found",
            says="a certificate of the agents is missing",
            sample='MountVolume.SetUp failed for volume "azure-identity" : secret "azure-identity-certificate" not found',
            near_miss='secret "azure-identity-certificate" found',
        ),
        Signature(
            pattern=r"(?i)Unable to pull Kube aad proxy certificate",
            says="the certificate of kube-aad-proxy was not delivered",
            sample="Error: Unable to pull Kube aad proxy certificate. Please attempt to onboard the cluster again.",
            near_miss="Kube aad proxy certificate pulled",
        ),
    ),
    why="Azure delivers the managed identity certificate as the secret azure-identity-certificate. Without it clusterconnect-agent and config-agent crash, kube-aad-proxy waits for its own, and onboarding times out (AZK8S0309); mostly *.his.arc.azure.com is blocked.",
    remedy=(
        Step(
            "See whether the secret is there.",
            run=(
                "kubectl",
                "get",
                "secret",
                "-n",
                "azure-arc",
                "azure-identity-certificate",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the cluster reach *.his.arc.azure.com and login.microsoftonline.com, or connect with proxy parameters.",
        ),
        Step(
            "Delete the connection.",
            run=(
                "az",
                "connectedk8s",
                "delete",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {name} --query connectivityStatus wants Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/network-requirements",
    ),
    leads_to=(
        "arc.onboarding_timeout",
        "arc.agents_not_running",
        "kubernetes.config_missing",
    ),
    ask="kubectl get secret -n azure-arc azure-identity-certificate",
)
