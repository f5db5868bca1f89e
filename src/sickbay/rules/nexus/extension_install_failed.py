from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An extension of the Nexus platform failed to install",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"\b1PExtensions?FailedInstall\b",
            says="Azure reports that a platform extension did not install",
            sample="Resource health: 1PExtensionsFailedInstall",
            near_miss="Resource health: 1PExtensionsInstalled",
        ),
    ),
    why="Nexus installs extensions of its own (1PExtensionsFailedInstall) into the clusters of a site, for monitoring and security among others. They belong to the platform, so an owner of the site cannot repair them.",
    remedy=(
        Step(
            "See which extension is not installed.",
            run=(
                "az",
                "k8s-extension",
                "list",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{name}",
                "--cluster-type",
                "connectedClusters",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step("Open a support request with the name of the extension and of the site."),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-resource-health-alerts",),
)
