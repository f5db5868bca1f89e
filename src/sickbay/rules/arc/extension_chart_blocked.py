from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Helm chart of an extension cannot be downloaded by the cluster: egress is blocked",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Unable to download the Helm chart from the repo URL",
            says="the chart is not downloaded",
            sample="Unable to download the Helm chart from the repo URL : Recommendation Please check the network connectivity of the cluster",
            near_miss="Downloaded the Helm chart from the repo URL",
        ),
    ),
    why="The extension manager in the cluster downloads the chart from its registry. The firewall or proxy of the cluster does not let it: unable to download the Helm chart from the repo URL.",
    remedy=(
        Step(
            "Read the statuses of the extension.",
            run=(
                "az",
                "k8s-extension",
                "show",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "<cluster-type>",
                "-n",
                "{name}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow mcr.microsoft.com, *.data.mcr.microsoft.com and the regional *.dp.kubernetesconfiguration.azure.com from the cluster.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/cluster-extension-deployment-errors",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/network-requirements",
    ),
    leads_to=("arc.extension_failed",),
    ask="kubectl logs -n azure-arc deployment/extension-manager --tail=50",
)
