from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The secret aso-controller-settings is missing, so the ASO controller does not start",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r'secret "?aso-controller-settings"? not found|azureserviceoperator-controller-manager-\S+ \d+/\d+ CreateContainerConfigError',
            says="the operator has no settings",
            sample='Warning Failed 36s (x7 over 99s) kubelet Error: secret "aso-controller-settings" not found',
            near_miss="azureserviceoperator-controller-manager-69cbccd645-4s5wz 2/2 Running 0 7m49s",
        ),
    ),
    why="The pod of the operator takes its settings from the secret aso-controller-settings in its own namespace. Without the secret the kubelet cannot make the container (CreateContainerConfigError) and nothing is reconciled.",
    remedy=(
        Step(
            "See whether the secret exists.",
            run=(
                "kubectl",
                "get",
                "secret",
                "aso-controller-settings",
                "-n",
                "azureserviceoperator-system",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create it, at least with AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID and AZURE_CLIENT_ID of the global credential (empty values when only namespaced credentials are used); the Helm chart makes it when createAzureOperatorSecret is true.",
            verify="kubectl get pods -n azureserviceoperator-system wants Running and all containers ready",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/aso-controller-settings-options/",
        "https://azure.github.io/azure-service-operator/guide/authentication/",
    ),
    leads_to=("kubernetes.config_missing",),
    ask="kubectl get secret aso-controller-settings -n azureserviceoperator-system",
)
