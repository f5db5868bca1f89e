from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The preview feature of this name does not exist: it is generally available by now, or was withdrawn",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)The feature '(?P<feature>[\w.-]+)' could not be found|\bFeatureNotFound\b",
            says="there is no such feature[: {feature}]",
            sample="(FeatureNotFound) The feature 'StartStopPreview' could not be found.",
            near_miss="The feature 'StartStopPreview' is registered",
        ),
    ),
    why="A preview is switched on by a feature flag of the subscription. The flag is removed when the feature becomes generally available, when it is withdrawn, or it never existed under this name (capitals count).",
    remedy=(
        Step(
            "See the flags that exist.",
            run=(
                "az",
                "feature",
                "list",
                "--namespace",
                "Microsoft.ContainerService",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If the feature is generally available, leave the registration out and go on with the next step: nothing has to be registered."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-resource-manager/management/preview-features",),
    leads_to=("aks.request_refused",),
    ask="az feature list --namespace Microsoft.ContainerService -o table",
)
