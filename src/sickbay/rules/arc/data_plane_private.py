from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The data plane of Arc resolves to a private endpoint that does not know this cluster (403 not authorized)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)(?:ConfigAgent|extension-?agent|kubernetesconfiguration|his\.arc).{0,500}?This traffic is not authorized|This traffic is not authorized.{0,500}?(?:ConfigAgent|kubernetesconfiguration|his\.arc)|Error code: 403 Message: This traffic is not authorized",
            says="Azure refuses the traffic of the agent",
            sample='Post "https://eastus.dp.kubernetesconfiguration.azure.com/subscriptions/s/configurations/getPendingConfigs": Error code: 403 Message: This traffic is not authorized',
            near_miss='Post "https://eastus.dp.kubernetesconfiguration.azure.com/subscriptions/s/configurations/getPendingConfigs": 200',
        ),
    ),
    why="A private endpoint for Azure Arc in the same virtual network, or a shared private DNS zone, makes *.dp.kubernetesconfiguration.azure.com resolve to a private address. Clusters that are not in that private link scope (such as an AKS cluster with extensions) are refused with 403.",
    remedy=(
        Step(
            "See where the name leads from inside the cluster.",
            run=(
                "kubectl",
                "exec",
                "-n",
                "kube-system",
                "deploy/extension-agent",
                "--",
                "nslookup",
                "<region>.dp.kubernetesconfiguration.azure.com",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Keep AKS and Arc private endpoints in separate networks, or let CoreDNS resolve the name to its public address (coredns-custom).",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/backup/azure-kubernetes-service-backup-troubleshoot",),
    leads_to=(
        "arc.extension_agent_silent",
        "arc.extension_failed",
    ),
    ask="nslookup <region>.dp.kubernetesconfiguration.azure.com",
)
