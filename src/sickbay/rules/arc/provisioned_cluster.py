from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The command of az connectedk8s is not for a provisioned cluster (AKS on Azure Local): use az aksarc",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S0003\b|UnsupportedProvisionedClusterOperation|(?:of )?a Provisioned Cluster (?:is|are) not supported from the Connected Cluster CLI|not supported on provisioned clusters",
            says="the cluster is a provisioned one",
            sample="Upgrading a Provisioned Cluster is not supported from the Connected Cluster CLI. Please use the 'az aksarc upgrade' CLI command.",
            near_miss="Upgrading a connected cluster is supported from the Connected Cluster CLI",
        ),
    ),
    why="A cluster of kind ProvisionedCluster is created and kept by AKS enabled by Azure Arc. Its agents, upgrades, features and deletion are managed by az aksarc (Azure Local) and not by az connectedk8s, which refuses the operation.",
    remedy=(
        Step(
            "See the kind of the cluster.",
            run=(
                "az",
                "connectedk8s",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "kind",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use the command of the same name of az aksarc (update, upgrade, delete).",
            run=(
                "az",
                "aksarc",
                "upgrade",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/aksarc",),
)
