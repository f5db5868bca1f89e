from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The node image of the pool is so old that AKS no longer configures it",
    severity=Severity.ERROR,
    categories=(
        Category.SCALING,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)NodeImageVersion \S{1,100} is not accepted|ConfigurationVersion '?(?P<version>v?[\d.]+)'? is not supported for AgentBaker|Please upgrade agent ?pool to the latest NodeImageVersion|NodeImageVersion\w* .{0,80}?(?:no longer supported|not supported|too old|deprecated)|parameter imageReference\.version is invalid|\bNodeImageVersionNot(?:Supported|Found)\b",
            says="the node image is out of support",
            sample="(BadRequest) ConfigurationVersion 'v0.20240812.0' is not supported for AgentBaker. Please upgrade agent pool to the latest NodeImageVersion.",
            near_miss="The agent pool has the latest NodeImageVersion",
        ),
    ),
    why="AKS writes the start-up script of a node for its image, and knows the images of about half a year. A pool that is older, or that is made from an old snapshot, cannot be scaled, reconciled or repaired any more.",
    remedy=(
        Step(
            "See which image the pool has and which is the newest.",
            run=(
                "az",
                "aks",
                "nodepool",
                "get-upgrades",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--nodepool-name",
                "<pool>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Upgrade the image of the pool.",
            run=(
                "az",
                "aks",
                "nodepool",
                "upgrade",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
                "--node-image-only",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks nodepool show wants the newest nodeImageVersion and Succeeded",
        ),
        Step(
            "If that is refused, too, add a new pool (without the old snapshot), move the workload, and delete the old one. Afterwards let a node OS upgrade channel keep the images new."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/node-image-upgrade",
        "https://learn.microsoft.com/azure/aks/auto-upgrade-node-os-image",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.request_refused",
    ),
    ask="az aks nodepool list -g {resource_group} --cluster-name {cluster} -o json",
)
