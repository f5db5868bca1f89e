from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The settings of the monitoring agent (config map) cannot be read, so it works with its defaults",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"config::error::(?:Exception while parsing config ?map|.{0,80}?unsupported config)|(?i:please check config ?map for errors)|prom-config-validator::.{0,120}?(?i:invalid|failed|error)|Prometheus custom config validation failed",
            says="the agent could not parse its config map",
            sample='"config::error::Exception while parsing config map for prometheus config: parse error on value "prometheus" (IDENTIFIER), using defaults, please check config map for errors"',
            near_miss="config::Successfully parsed mounted config map",
        ),
    ),
    why="Container insights and managed Prometheus read TOML or YAML out of `container-azm-ms-agentconfig` or `ama-metrics-settings-configmap` in kube-system. One syntax error and the agent drops all of it and collects by its defaults.",
    remedy=(
        Step(
            "Read the map.",
            run=(
                "kubectl",
                "get",
                "configmap",
                "-n",
                "kube-system",
                "container-azm-ms-agentconfig",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct it by the template of the vendor (quotes, brackets, indentation), and apply it; the agents restart on their own.",
            verify="the log says that the config map was parsed",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-monitor/containers/container-insights-data-collection-configmap",
    ),
    ask="kubectl logs -n kube-system -l component=ama-logs-agent --tail=50",
)
