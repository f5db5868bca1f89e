from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The monitoring agent (ama-logs, ama-metrics, omsagent) cannot reach Azure Monitor: nothing arrives",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)Failed to upload to (?:ODS|GIG|MDSD|ME)\b|mdsd(?:\.err)?\b.{0,200}?(?:Error resolving address|Could not connect|Connection refused|SSL handshake|timed out)|curl request to oms ?endpoint (?:failed|error)|(?:omsagent|ama-logs|ama-metrics|opinsights|handler\.control\.monitor\.azure\.com|ingest\.monitor\.azure\.com)\b.{0,160}?(?:could not resolve host|no such host|connection refused|timed? ?out|Name or service not known|error resolving address|onboard\w* (?:failed|error))|Onboarding (?:failed|error).{0,80}?(?:workspace|oms|agent)|Agent onboarding failure|giving up checking agent onboarding status",
            says="the monitoring agent cannot send",
            sample="/opt/microsoft/linuxmonagent/mdsd.err 2024-11-26T13:39:26.8840040Z: Failed to upload to ODS: Error resolving address, Datatype: HEALTH_ASSESSMENT_BLOB",
            near_miss="curl request to oms endpoint succeeded.",
            weight=TYPICAL,
            unless=r"(?i)\barc\b|azure-arc|connectedClusters",
        ),
    ),
    why="Container insights and managed Prometheus fetch their configuration from handler.control.monitor.azure.com and send to ods.opinsights.azure.com or ingest.monitor.azure.com. A firewall, a proxy, a wrong private DNS zone of an Azure Monitor private link scope, or a DNS server that fails cuts them off: pods restart, and the workspace stays empty.",
    remedy=(
        Step(
            "See what the agent says.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "-l",
                "component=ama-logs-agent",
                "--tail=50",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Resolve and reach from a node: *.ods.opinsights.azure.com, *.oms.opinsights.azure.com, *.handler.control.monitor.azure.com and *.ingest.monitor.azure.com on 443; with a private link scope the names must resolve to its endpoint, and a data collection endpoint must be associated with the cluster."
        ),
        Step(
            "Restart the agent when the way is open.",
            run=("kubectl", "rollout", "restart", "daemonset/ama-logs", "-n", "kube-system"),
            risk=Risk.SAFE,
            verify="kubectl get pods -n kube-system shows ama-logs Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-monitor/containers/kubernetes-monitoring-firewall",
    ),
    leads_to=("kubernetes.crash_loop",),
    ask="kubectl logs -n kube-system -l component=ama-logs-agent --tail=50",
)
