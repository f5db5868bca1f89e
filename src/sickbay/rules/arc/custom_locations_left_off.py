from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The custom locations feature was left off: Microsoft.ExtendedLocation is not registered in the subscription",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)'Custom-locations' feature couldn't be enabled|pre-requisite registration of 'Microsoft\.ExtendedLocation' was not met",
            says="the cluster was connected without custom locations",
            sample="'Custom-locations' feature couldn't be enabled on this cluster as the pre-requisite registration of 'Microsoft.ExtendedLocation' was not met.",
            near_miss="'Custom-locations' feature was enabled on this cluster",
            # It is no news beside the failure of the connection itself.
            unless=r"(?i)Unable to install helm release|before the Helm timeout",
        ),
    ),
    why="`az connectedk8s connect` enables custom locations only where the resource provider Microsoft.ExtendedLocation is registered. It warns and goes on without the feature: the connection does not fail from it, but custom locations cannot be created later until the feature is enabled.",
    remedy=(
        Step(
            "Register the provider.",
            run=(
                "az",
                "provider",
                "register",
                "--namespace",
                "Microsoft.ExtendedLocation",
                "--wait",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Enable the features.",
            run=(
                "az",
                "connectedk8s",
                "enable-features",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--features",
                "cluster-connect",
                "custom-locations",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/custom-locations",),
    leads_to=("arc.custom_locations_disabled",),
)
