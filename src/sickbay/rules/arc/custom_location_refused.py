from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A custom location is refused because one of its cluster extensions is not installed",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"Invalid InstallState of Cluster Extension\. ?InstallState is ?: ?(?P<state>\w+)|\bFailedToLoadClusterExtensionConfig\b",
            says="an extension of the custom location is not installed",
            sample="FailedToLoadClusterExtensionConfig: Combined Getting Extension Config Errors: Error for extension ID /subscriptions/s/x : Invalid InstallState of Cluster Extension. InstallState is : Failed",
            near_miss="InstallState of Cluster Extension: Installed",
        ),
    ),
    why="A custom location hands its resource types to the cluster extensions that it names; it is accepted only when each of them is in state Installed. The extension that is not holds the reason in its own statuses.",
    remedy=(
        Step(
            "See the state and the error of each extension that the custom location names.",
            run=(
                "az",
                "k8s-extension",
                "list",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "connectedClusters",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend or recreate the extension that is not installed, then create the custom location again.",
            verify="az customlocation show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/custom-locations",),
    leads_to=("arc.custom_location_failed",),
    ask="az k8s-extension list -g {resource_group} -c {cluster} -t connectedClusters -o json",
)
