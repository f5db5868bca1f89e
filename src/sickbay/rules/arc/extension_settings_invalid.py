from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Helm chart of an extension does not render with the given configuration settings",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)Unable to render the Helm chart with the provided config settings|Helm chart rendering failed with given values|failed to install chart .{0,200}?\[?template: [\w./-]+:\d+:\d+: executing",
            says="the chart does not render with these settings",
            sample="Unable to render the Helm chart with the provided config settings and config protected settings : Recommendation Please check if the values provided to the config settings and the config protected settings are valid for this extension type",
            near_miss="Rendered the Helm chart with the provided config settings",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)Unsupported configuration setting: '|(?:--configuration-protected-settings|--configuration-settings|--config(?:-protected)?)\b.{0,200}?(?:is required|are required|allowInsecureConnections|must be)|Provide ssl certificate and key",
            says="a configuration setting is missing or not allowed",
            sample="Unsupported configuration setting: 'foo'. Only ['replicaCount'] are allowed for extensions of type microsoft.virtualnodes.",
            near_miss="Ignoring unrecognized configuration setting: foo",
            weight=TYPICAL,
        ),
    ),
    why="The extension manager renders the chart with the configuration settings and protected settings that were given. A missing or misspelt value makes the template fail, and the inner error names the line.",
    remedy=(
        Step(
            "See the settings.",
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
                "--query",
                "configurationSettings",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the value that the inner error names, and update the extension.",
            run=(
                "az",
                "k8s-extension",
                "update",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "<cluster-type>",
                "-n",
                "{name}",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions-troubleshooting",),
    leads_to=(
        "arc.extension_failed",
        "kubernetes.chart_render_failed",
    ),
    ask="az k8s-extension show -g {resource_group} -c {cluster} -t <cluster-type> -n {name}",
)
