from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The global credential of ASO is not complete (EnvironmentCredential not available)",
    severity=Severity.INFO,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"EnvironmentCredential not available",
            says="the operator has no complete global credential",
            sample='I1115 22:34:13.657253 1 setup.go:210] "EnvironmentCredential not available" logger="setup" missing="AZURE_CLIENT_SECRET"',
            near_miss='"EnvironmentCredential available" logger="setup"',
        ),
    ),
    why="Of the variables for a global credential (AZURE_TENANT_ID, AZURE_CLIENT_ID, and a secret or certificate) some are missing in aso-controller-settings. ASO then uses a managed identity, or the credentials of namespaces and objects alone, which may be meant so.",
    remedy=(
        Step(
            "Nothing, if each namespace has its own aso-credential. Otherwise complete the secret.",
            run=(
                "kubectl",
                "describe",
                "secret",
                "aso-controller-settings",
                "-n",
                "azureserviceoperator-system",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/authentication/credential-scope/",),
    leads_to=("aso.no_global_credential",),
)
