from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Helm finds objects of the chart in the cluster that another installation owns (ownership metadata)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:extension|azure-arc|connectedk8s|InnerError|azconfig).{0,800}?(?:rendered manifests contain a resource that already exists|cannot be imported into the current release)|(?:rendered manifests contain a resource that already exists|cannot be imported into the current release).{0,600}?(?:extension|azure-arc|azconfig)|Resource already existing in your cluster",
            says="objects of the chart already exist",
            sample='Helm installation failed : Resource already existing in your cluster : InnerError [rendered manifests contain a resource that already exists. Unable to continue with install: CustomResourceDefinition "azureappconfigurationproviders.azconfig.io" in namespace "" exists and cannot be imported into the current release: invalid ownership metadata]',
            near_miss="rendered manifests contain 12 resources",
            unless=r"(?i)could not get information about the resource.{0,200}?is forbidden",
        ),
    ),
    why="Helm installs a chart or an extension only when it owns everything that the chart brings. Objects of an earlier or self-managed installation (CRDs, Dapr, a CSI driver, a service account made by hand) already exist without its labels, or with another release name, and so the installation stops.",
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
            "Install the chart or create the extension again.",
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
