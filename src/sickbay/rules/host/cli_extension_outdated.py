from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure CLI or its extension is too old for the command, an argument or the chart that it installs",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)unrecognized arguments: (?P<argument>--[\w-]+)|Cluster type '?(?:managedClusters|provisionedClusters)'? is not supported|azure-arc-k8sagents/templates/.{0,400}?nil pointer|(?:extension|CLI) (?:is )?(?:out of date|outdated).{0,80}?(?:update|upgrade)|requires a m(?:in|ax) of \S{1,20} CLI core|(?:not compatible with this version of the CLI)|requires Azure CLI (?:core )?(?:>=|version)",
            says="the CLI does not know what it was given",
            sample="unrecognized arguments: --custom-location /subscriptions/0b1f6471-1bf0-4dda-aec3-111122223333/resourcegroups/arc-rg/providers/microsoft.extendedlocation/customlocations/shop",
            near_miss="recognized arguments: --custom-location",
            weight=TYPICAL,
        ),
    ),
    why="Arguments come with versions of the CLI and its extensions, and the charts of Arc expect values that only a current extension passes. An old one, or a misspelled argument, is answered in this way.",
    remedy=(
        Step(
            "See the versions.",
            run=(
                "az",
                "version",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Update the CLI.",
            run=(
                "az",
                "upgrade",
                "--yes",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Update the extension that the command belongs to.",
            run=(
                "az",
                "extension",
                "update",
                "--name",
                "<extension>",
            ),
            risk=Risk.SAFE,
            verify="the command with --help lists the argument",
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/azure-cli-extensions-overview",),
    ask="az version",
)
