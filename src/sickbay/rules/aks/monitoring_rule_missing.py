from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The monitoring agent gets no data collection rule (DCR), so it sends nothing",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD, Category.NODES),
    detect=(
        Signature(
            pattern=r"(?i)config::error::Exception while parsing dcr|No configuration present for the AKS resource|Check if mdsd is running in MSI mode|Data collection (?:rule|endpoint) (?:not found|has been deleted)|access to the associated data collection rule to view|Data collection endpoint must be u|(?:403|404).{0,200}?dataCollectionRules?\b.{0,200}?(?:not found|not associated|forbidden)|Metrics Extension is not running \(configuration exists\)|TokenConfig\.json does not exist|mdsd/ama::Failed to get config response data for extension|Exporting failed.{0,600}?127\.0\.0\.1:55680|AMCSEndpoint.{0,120}?(?:fail|error)",
            says="the agent has no data collection rule",
            sample='"config::error::Exception while parsing dcr : No JSON file found in the specified directory. Check if mdsd is running in MSI mode. DCR Json data: "',
            near_miss="config::info::dcr parsed, 1 data flow",
            weight=TYPICAL,
        ),
    ),
    why="Container insights and managed Prometheus fetch what to collect, and where to send it, as a data collection rule that is associated with the cluster. The rule, its endpoint or the association is missing or was deleted, the agent cannot reach handler.control.monitor.azure.com, or its identity gets no token; it restarts and sends nothing.",
    remedy=(
        Step(
            "See which rules are associated with the cluster.",
            run=(
                "az",
                "monitor",
                "data-collection",
                "rule",
                "association",
                "list-by-resource",
                "--resource",
                "<cluster-id>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Enable the add-on anew, which makes rule and association.",
            run=(
                "az",
                "aks",
                "enable-addons",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "-a",
                "monitoring",
                "--enable-msi-auth-for-monitoring",
            ),
            risk=Risk.SAFE,
            verify="the pods ama-logs stay Running",
        ),
        Step(
            "Let the nodes reach *.handler.control.monitor.azure.com and *.ods.opinsights.azure.com."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-monitor/containers/container-insights-troubleshoot",
    ),
    leads_to=("kubernetes.liveness_kills",),
    ask="az monitor data-collection rule association list-by-resource --resource <cluster-id>",
)
