from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An extension collides with an installation that already exists in the cluster (Helm ownership)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)rendered manifests contain a resource that already exists|Resource already existing in your cluster|cannot be imported into the current release: invalid ownership metadata",
            says="objects of the chart already exist",
            sample='Helm installation failed : Resource already existing in your cluster : InnerError [rendered manifests contain a resource that already exists. Unable to continue with install: CustomResourceDefinition "azureappconfigurationproviders.azconfig.io" in namespace "" exists and cannot be imported into the current release: invalid ownership metadata]',
            near_miss="rendered manifests contain 12 resources",
        ),
    ),
    why="Helm installs an extension only when it owns everything that the chart brings. Objects of an earlier or self-managed installation (Dapr, App Configuration, a CSI driver) already exist with another release-name, and so the installation stops.",
    remedy=(
        Step(
            "See which releases there are.",
            run=(
                "helm",
                "list",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Uninstall the other installation, or delete the objects that the message names.",
            run=(
                "helm",
                "uninstall",
                "<release>",
                "-n",
                "<namespace>",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Create the extension again.",
            run=(
                "az",
                "k8s-extension",
                "create",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "<cluster-type>",
                "-n",
                "{name}",
                "--extension-type",
                "<type>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/cluster-extension-deployment-errors",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions-troubleshooting",
    ),
    leads_to=("arc.extension_failed",),
    ask="helm list -A",
)
