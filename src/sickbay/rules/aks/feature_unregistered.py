from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A preview feature that the request uses is not registered in the subscription",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bFeatureFlagRegistrationNotFound\b|feature '?Microsoft\.\w+/(?P<preview>[\w-]+)'? (?:is )?not (?:enabled|registered)|is not valid because the 'Microsoft\.\w+/\w+' feature|\bSubscriptionNotRegisteredForFeature\b|\b(?:\w+FeatureFlagNotEnabled|SubscriptionNotEnabledEncryptionAtHost|(?:CustomNodeConfig|HTTPProxyConfig)FeatureNotSupported|WindowsGmsaFeatureNotEnabled)\b|(?:requires?|needs) (?:the )?(?:preview )?feature (?:flag )?'?(?:Microsoft\.ContainerService/)?(?P<feature>[\w/.-]+)'? to be (?:registered|enabled)|requires? (?:the )?'?Microsoft\.\w+/(?P<needed>[\w-]+)'? feature(?: flag)?\b|\b\w*FeatureNot(?:Registered|Enabled)\b|'Microsoft\.\w+/(?P<named>\w+)' feature is not enabled (?:for|in|on)|feature '?(?:Microsoft\.ContainerService/)?(?P<other>[\w.-]+/?[\w.-]*)'? is not (?:registered|enabled) (?:for|in|on)",
            says="a feature is not registered",
            sample="(BadRequest) Managed namespace requires feature flag Microsoft.ContainerService/ManagedNamespacePreview to be registered.",
            near_miss="The feature flag Microsoft.ContainerService/ManagedNamespacePreview is Registered",
        ),
    ),
    why="Preview functions of AKS are open only to subscriptions that registered their feature flag, and the registration takes effect after the provider is registered again.",
    remedy=(
        Step(
            "Register the feature.",
            run=(
                "az",
                "feature",
                "register",
                "--namespace",
                "Microsoft.ContainerService",
                "--name",
                "<feature>",
            ),
            risk=Risk.SAFE,
            verify="az feature show --namespace Microsoft.ContainerService --name <feature> --query properties.state wants Registered",
        ),
        Step(
            "Refresh the provider.",
            run=("az", "provider", "register", "--namespace", "Microsoft.ContainerService"),
            risk=Risk.SAFE,
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=("https://learn.microsoft.com/azure/azure-resource-manager/management/preview-features",),
    leads_to=("aks.operation_failed",),
    ask="az feature list --namespace Microsoft.ContainerService -o json",
)
