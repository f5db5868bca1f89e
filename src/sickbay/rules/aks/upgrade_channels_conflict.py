from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The upgrade channels of the cluster contradict each other (auto-upgrade channel, node OS upgrade channel)",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.CREATION),
    detect=(
        Signature(
            pattern=r"(?i)(?:node-?OS-?upgrade-?channel|auto-?upgrade-?channel|autoUpgradeProfile(?:\.\w+)?)\b.{0,160}?(?:conflicts? with|must be|is invalid|not (?:allowed|supported|valid)|cannot be)",
            says="the channels of the request do not go together",
            sample="InvalidParameter: The value of parameter autoUpgradeProfile.nodeOSUpgradeChannel is invalid: with autoUpgradeProfile.upgradeChannel node-image it must be NodeImage.",
            near_miss="autoUpgradeProfile: nodeOSUpgradeChannel NodeImage, upgradeChannel patch",
            weight=TYPICAL,
            unless=r"(?i)not registered|windows ?server",
        ),
    ),
    why="The auto-upgrade channel moves the Kubernetes version, the node OS channel the images. With the channel node-image AKS replaces the images itself, so the node OS channel can only be NodeImage; some channels also need a certain OS or tier.",
    remedy=(
        Step(
            "See both channels.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "autoUpgradeProfile",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set them so that they go together.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--auto-upgrade-channel",
                "patch",
                "--node-os-upgrade-channel",
                "NodeImage",
            ),
            risk=Risk.SAFE,
            verify="az aks show --query autoUpgradeProfile wants both channels",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/auto-upgrade-node-os-image",),
    leads_to=("aks.operation_failed", "aks.parameter_invalid", "aks.request_refused"),
    ask="az aks show -g {resource_group} -n {cluster} -o json",
)
