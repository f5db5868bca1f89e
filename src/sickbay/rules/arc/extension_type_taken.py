from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An extension of the same type is already installed on the cluster",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)extension (?:with|of) (?:the )?(?:same )?(?:extension )?type '?(?P<type>[\w.-]+)'? (?:is )?already (?:exists|installed)|Extension(?:s)? with same (?:extension )?type.{0,80}?already|extension type .{0,80}?already (?:been )?installed at this scope|multiple (?:extensions|instances) of (?:the )?(?:same )?(?:extension )?type",
            says="the extension type is installed already",
            sample="(ValidationFailed) Extension with same extension type 'microsoft.dapr' already exists at this scope.",
            near_miss="Extension type microsoft.dapr is registered",
        ),
    ),
    why="Most extension types can be installed once on a cluster. One of the type is there already under another name, made by a policy, by Defender for Cloud or by an earlier attempt, so a second is refused.",
    remedy=(
        Step(
            "Find it.",
            run=(
                "az",
                "k8s-extension",
                "list",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "<cluster-type>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Update that one, or delete it first.",
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
                "<name>",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions-troubleshooting",),
    leads_to=("arc.extension_failed",),
    ask="az k8s-extension list -g {resource_group} -c {cluster} -t <cluster-type> -o table",
)
