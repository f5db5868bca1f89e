from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ASO controller stops at start: a setting in its environment is missing or invalid",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?:parsing \\?\"?AZURE_\w+\\?\"?: |)missing value for (?P<variable>AZURE_\w+|POD_NAMESPACE)|(?:\bsetup\b|panic:).{0,120}?\b(?:client|tenant|subscription) ?(?:ID|Secret) is required\b|must include watchers to specify target namespaces|error while fetching default global credential|\"failed to initialize clients\"|unable to get env(?:ironment)? configuration values(?:.{0,20}?err(?:or)?\"?[=:] ?\"?(?P<detail>[^\"]{3,200}))?",
            says="the controller could not read its environment configuration",
            sample='E1115 22:34:13.657253 1 main.go:90] "unable to get env configuration values" err="parsing AZURE_SYNC_PERIOD: time: invalid duration \\"1hour\\""',
            near_miss="read the env configuration values",
        ),
    ),
    why="The controller reads its configuration from environment values (POD_NAMESPACE, AZURE_SYNC_PERIOD, AZURE_OPERATOR_MODE, AZURE_TARGET_NAMESPACES and others) and exits when one of them cannot be parsed or is absent. The same holds for its global credential: a malformed tenant id, a missing client id, or workload identity (USE_WORKLOAD_IDENTITY_AUTH) without a token file.",
    remedy=(
        Step(
            "Read which value the controller complains about.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "azureserviceoperator-system",
                "-l",
                "control-plane=controller-manager",
                "-c",
                "manager",
                "--tail",
                "50",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the value in the secret aso-controller-settings or in the deployment (durations are written like 1h or 15m), then restart the controller.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "deployment",
                "azureserviceoperator-controller-manager",
                "-n",
                "azureserviceoperator-system",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n azureserviceoperator-system wants Running",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/aso-controller-settings-options/",),
    leads_to=("aks.workload_identity_unset",),
    ask="kubectl logs -n azureserviceoperator-system -l control-plane=controller-manager -c manager --tail 50",
)
