from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Two changes of one cluster extension collide: it is still being installed or was modified meanwhile (conflict)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:adding|updating) the CRD configuration.{0,200}?(?:the object has been modified|Operation cannot be fulfilled on)|'Microsoft\.Flux' extension is currently installing|extensionconfigs\.clusterconfig\.azure\.com.{0,120}?the object has been modified",
            says="the configuration of the extension changed meanwhile",
            sample='unable to add the configuration with configId {extension:flux} due to error: {error while adding the CRD configuration: error {Operation cannot be fulfilled on extensionconfigs.clusterconfig.azure.com "flux": the object has been modified; please apply your changes to the latest version and try again}}',
            near_miss="the configuration with configId {extension:flux} was added",
            weight=TYPICAL,
        ),
    ),
    why="The agent writes the wish of Azure into an ExtensionConfig of the cluster. A second operation on the same extension (portal and pipeline, a policy, a repeated create) is still at work or changed it in between, so this one is refused; the extension operation failed, and mostly succeeds when it is repeated alone.",
    remedy=(
        Step(
            "See whether an operation still runs.",
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
                "<name>",
                "--query",
                "provisioningState",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Repeat the operation when no other runs.",
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
                "<name>",
            ),
            risk=Risk.SAFE,
            verify="provisioningState is Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions-troubleshooting",),
    leads_to=("arc.extension_failed",),
    ask="az k8s-extension show -g {resource_group} -c {cluster} -t <cluster-type> -n <name>",
)
