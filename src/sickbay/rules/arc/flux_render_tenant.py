from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Flux extension's Helm chart fails to render: it misses the tenant in the cluster's configuration",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"extension-manager-config\"?\)\.data \"?AZURE_TENANT_ID\"?>: error calling index: index of untyped nil",
            says="the chart of the extension does not render",
            sample='InnerError [template: azure-k8s-flux/templates/source-controller.yaml:100:24: executing "azure-k8s-flux/templates/source-controller.yaml" at <index (lookup "v1" "ConfigMap" "kube-system" "extension-manager-config").data "AZURE_TENANT_ID">: error calling index: index of untyped nil]',
            near_miss="template: azure-k8s-flux/templates/source-controller.yaml rendered",
        ),
    ),
    why="Flux extension versions 1.15.1 and older, and 1.16.2, look up AZURE_TENANT_ID in a ConfigMap that is not there; Helm ends with `index of untyped nil`. A later version mends it.",
    remedy=(
        Step(
            "Update the extension.",
            run=(
                "az",
                "k8s-extension",
                "update",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-n",
                "flux",
                "-t",
                "<cluster-type>",
                "--version",
                "1.16.3",
            ),
            risk=Risk.SAFE,
            verify="az k8s-extension show … --query provisioningState wants Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions-troubleshooting",),
    leads_to=(
        "arc.extension_settings_invalid",
        "arc.extension_failed",
    ),
    ask="az k8s-extension show -g {resource_group} -c {cluster} -t <cluster-type> -n flux",
)
