from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The requested type, version or release train of the extension does not exist",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)HCRP\d{3}\)? ?:? ?ExtensionNotFound|Failed to resolve the extension version from the given|failed in download the Chart path not found|Failed to setup Helm client.{0,200}?: not found",
            says="the version is not offered",
            sample="(ExtensionOperationFailed) The extension operation failed with the following error: Failed to resolve the extension version from the given values.",
            near_miss="Resolved the extension version 1.2.3 from the given values",
        ),
    ),
    why="The extension version is resolved from the version, the release train and the region. `Failed to resolve the extension version from the given values` means that this combination is not offered; for a machine HCRP400 ExtensionNotFound says the same of publisher, type and version.",
    remedy=(
        Step(
            "See the versions there are.",
            run=(
                "az",
                "k8s-extension",
                "extension-types",
                "list-versions-by-cluster",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "<cluster-type>",
                "--extension-type",
                "<type>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the extension with one of them, or without a version.",
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
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions-troubleshooting",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-dapr-extension-installation-errors",
    ),
    leads_to=("arc.extension_failed",),
    ask="az k8s-extension extension-types list-versions-by-cluster -g {resource_group} -c {cluster} -t <cluster-type> --extension-type <type>",
)
