from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A proxy or firewall answers downloads of the nodes with 403 Forbidden",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"curl: \(22\) The requested URL returned error: 403|(?i:Received HTTP code 403 from proxy after CONNECT)|(?i:proxyconnect tcp: .{0,60}?Forbidden)",
            says="a download was denied with 403",
            sample="curl: (22) The requested URL returned error: 403",
            near_miss="curl: (22) The requested URL returned error: 404",
            weight=TYPICAL,
        ),
    ),
    why="The connection came about, but a proxy or an application rule of the firewall denied the host: it is not in the list of what nodes may reach, so it is blocked with 403.",
    remedy=(
        Step(
            "Ask for the head of the same URL on a node; the Server and Via headers name who answered.",
            run=(
                "az",
                "vmss",
                "run-command",
                "invoke",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--instance-id",
                "<instance>",
                "--command-id",
                "RunShellScript",
                "--scripts",
                "curl -sSI --connect-timeout 10 https://packages.aks.azure.com",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the required hosts of AKS in that proxy or firewall (FQDN tag AzureKubernetesService).",
            risk=Risk.DISRUPTIVE,
            verify="the same request wants a status other than 403",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/vmextensionerror-k8sdownloadtimeout",
        "https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",
    ),
    leads_to=("aks.bootstrap_download_failed",),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> --expand instanceView -o json",
)
