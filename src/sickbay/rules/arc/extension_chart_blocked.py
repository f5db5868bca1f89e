from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Helm chart of an extension cannot be downloaded by the cluster: egress is blocked",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:failed|unable) to (?:pull|download|fetch) (?:the )?(?:helm )?chart\b.{0,400}?https?://(?P<host>[\w.-]+)(?::\d+)?/.{0,300}?(?:dial tcp|i/o timeout|connection refused|connection reset|handshake timeout|deadline exceeded|proxyconnect|: EOF)",
            says="the chart is not downloaded: no connection to {host}",
            sample='Error: {failed to pull chart: failed to do request: Head "https://mcr.microsoft.com/v2/azuremonitor/containerinsights/ciprod/manifests/3.1": dial tcp 192.0.2.1:443: i/o timeout} occurred while doing the operation : {Installing the extension} on the config',
            near_miss='failed to pull chart: Head "https://mcr.microsoft.com/v2/x/manifests/3.1": 404 Not Found',
            weight=TYPICAL,
        ),
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
    leads_to=("arc.extension_failed", "kubernetes.registry_unreachable"),
    ask="kubectl logs -n azure-arc deployment/extension-manager --tail=50",
)
