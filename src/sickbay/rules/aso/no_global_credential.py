from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="ASO has no credential for this namespace: neither global, namespaced nor per resource",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"global credential not configured, you must use either namespaced or per-resource credentials",
            says="no credential applies to the object",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: Failed, Severity: Warning, RetryClassification: RetrySlow, Cause: global credential not configured, you must use either namespaced or per-resource credentials" logger="resources_resourcegroup" name="rg1" namespace="default"',
            near_miss="global credential configured; namespaced and per-resource credentials override it",
        ),
    ),
    why="ASO looks for a credential in the annotation credential-from, then in the secret aso-credential of the namespace, then in the global secret aso-controller-settings. None of the three exists, so it cannot sign in to Azure at all.",
    remedy=(
        Step(
            "See whether the namespace has a credential.",
            run=(
                "kubectl",
                "get",
                "secret",
                "aso-credential",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the secret aso-credential in the namespace with AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID and AZURE_CLIENT_ID, or a global one named aso-controller-settings in the namespace of the operator.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/",
        "https://azure.github.io/azure-service-operator/guide/authentication/credential-scope/",
    ),
    leads_to=("aso.not_ready",),
    ask="kubectl get secret aso-credential -n {namespace}",
)
