from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The extension agent has lost its settings: the ConfigMap extension-immutable-values is missing",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"""(?i)configmaps? [\"']?extension-immutable-values[\"']? not found""",
            says="the ConfigMap of the extension agent is missing",
            sample="error while adding the CRD configuration: error {failed to get the immutable configMap from the elevated namespace with err: configmaps 'extension-immutable-values' not found }",
            near_miss='configmap "extension-immutable-values" found',
        ),
    ),
    why="The agent keeps what may not change in the ConfigMap extension-immutable-values. When the provider is not registered or the agent was not reconciled it is missing, and operations on extensions fail.",
    remedy=(
        Step(
            "Register the provider.",
            run=(
                "az",
                "provider",
                "register",
                "--namespace",
                "Microsoft.KubernetesConfiguration",
                "--wait",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Delete the extension by force and create it again.",
            run=(
                "az",
                "k8s-extension",
                "delete",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "<cluster-type>",
                "-n",
                "{name}",
                "--force",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-dapr-extension-installation-errors",
    ),
    leads_to=("arc.extension_failed",),
    ask="kubectl get configmap -A --field-selector metadata.name=extension-immutable-values",
)
