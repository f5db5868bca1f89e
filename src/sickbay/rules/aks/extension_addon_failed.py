from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An extension that AKS manages for an add-on could not be created or updated (CreateOrUpdateExtensionFailed)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"\b(?:CreateOrUpdate|Delete|Get)Extension(?:Failed|Error)\b|(?i:(?:creating|updating|deleting) (?:the )?extension '(?P<extension>[\w.-]+)' failed)|\bPutExtensionAddon\w*(?:Failed|Error)\b",
            says="the extension[ {extension}] failed",
            sample="(CreateOrUpdateExtensionFailed) Creating extension 'azuremonitor-metrics' failed with error: (BadRequest) The extension configuration is invalid.",
            near_miss="Creating extension 'azuremonitor-metrics' succeeded",
            weight=TYPICAL,
            unless=r"(?i)vmss|CustomScript|virtualMachineScaleSets|connectedClusters",
        ),
    ),
    why="Azure Monitor, backup, Flux, Dapr and other add-ons are extensions of the cluster (Microsoft.KubernetesConfiguration): a Helm chart that an agent in kube-system installs. It failed because its settings are refused, another operation holds the cluster, or its pods do not start; the inner error says which.",
    remedy=(
        Step(
            "See the extensions, their state and last error.",
            run=(
                "az",
                "k8s-extension",
                "list",
                "--cluster-type",
                "managedClusters",
                "-c",
                "{cluster}",
                "-g",
                "{resource_group}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See what the agent says.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "-l",
                "app.kubernetes.io/name=extension-manager",
                "--tail=50",
            ),
            risk=Risk.READ,
        ),
        Step("Correct what the inner error names, and enable the add-on again."),
    ),
    docs=("https://learn.microsoft.com/azure/aks/cluster-extensions",),
    leads_to=("aks.operation_failed", "aks.request_refused"),
    ask="az k8s-extension list --cluster-type managedClusters -c {cluster} -g {resource_group} -o json",
    wraps=True,
)
