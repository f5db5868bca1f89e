from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The extension agent in the cluster did not answer Azure in time: it does not run, or cannot reach Azure",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)Unabled? to get (?:a )?response from the (?:extension )?Agent in time|No (?:response|status) .{0,40}?from the (?:extension|config(?:uration)?) agent|ensure the extension agents on the cluster are able to connect to Azure",
            says="the agents in the cluster did not answer",
            sample="(ExtensionOperationFailed) The extension operation failed with the following error: Unable to get response from the Agent in time, please ensure the extension agents on the cluster are able to connect to Azure services",
            near_miss="The extension agent answered in time",
            weight=TYPICAL,
        ),
    ),
    why="Azure hands the wish for an extension to the agent in the cluster (extension-manager, config-agent; extension-agent on AKS), which fetches it, runs Helm and reports. It did not report: the cluster is stopped or offline, the agent's pod does not run, or its way to dp.kubernetesconfiguration.azure.com is closed.",
    remedy=(
        Step(
            "See whether the agents run, and what they say.",
            run=("kubectl", "get", "pods", "-n", "azure-arc"),
            risk=Risk.READ,
        ),
        Step(
            "Start the cluster, mend the pods, or open the outbound endpoints of Arc; then create the extension again.",
            verify="az k8s-extension show wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/cluster-extension-deployment-errors",
    ),
    leads_to=("arc.extension_failed",),
    ask="kubectl get pods -n azure-arc",
)
