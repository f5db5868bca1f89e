from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Helm charts of Arc cannot be pulled from mcr.microsoft.com by the machine that runs the CLI",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S0502\b|Unable to pull (?P<chart>[\w-]+) helm chart from the registry '?(?P<registry>[^':]{1,200})|\bAZK8S0503\b|Unable to (?:pull|export) helm chart from the registry|HelmChart(?:Pull|Export)Failed",
            says="the chart {chart} was not pulled",
            sample="Unable to pull cluster-diagnostic-checks helm chart from the registry 'mcr.microsoft.com/azurearck8s/helmchart/stable/clusterdiagnosticchecks:0.1.2': Error: failed to do request: Head 'https://mcr.microsoft.com/v2/azurearck8s/helmchart/stable/clusterdiagnosticchecks/manifests/0.1.2': dial tcp 204.79.197.219:443: i/o timeout",
            near_miss="Pulled cluster-diagnostic-checks helm chart from the registry 'mcr.microsoft.com'",
        ),
    ),
    why="`az connectedk8s` pulls charts from the registry mcr.microsoft.com to the machine it runs on. The registry or its data endpoints (*.data.mcr.microsoft.com) are blocked there, or a proxy is missing.",
    remedy=(
        Step(
            "Try the registry from this machine.",
            run=(
                "curl",
                "-v",
                "https://mcr.microsoft.com/v2/",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow mcr.microsoft.com and *.data.mcr.microsoft.com, or set HTTPS_PROXY.",
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
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query connectivityStatus wants Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/network-requirements",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
    leads_to=("kubernetes.registry_unreachable",),
)
