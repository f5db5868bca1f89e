from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Kubernetes secret that an ASO object refers to does not exist (SecretNotFound)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"failed resolving secret references?: .{0,400}?Secret \"(?:[\w.-]+/)?(?P<secret>[\w.-]+)\" not found|couldn\'t resolve secret reference .{0,400}?Secret \"(?:[\w.-]+/)?(?P<other>[\w.-]+)\" not found",
            says="the secret {secret} does not exist",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: SecretNotFound, Severity: Warning, RetryClassification: RetryFast, Cause: failed resolving secret references: couldn\'t resolve secret reference default/pg-admin.password: default/pg-admin does not exist (Secret \\"pg-admin\\" not found)" logger="dbforpostgresql_flexibleserver" name="pg1" namespace="default"',
            near_miss='failed resolving secret references: default/pg-admin does not exist (Secret "default/pg-admin" does not contain key "password")',
        ),
    ),
    why="ASO reads passwords and keys from the secret named in the spec, in the namespace of the object, before it sends anything to Azure. Without the secret it sends nothing and looks again every few seconds.",
    remedy=(
        Step(
            "See which secrets the namespace has.",
            run=(
                "kubectl",
                "get",
                "secrets",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the secret {secret} with the key that the spec names, in the namespace of the object, or correct the reference. If another ASO object writes it (operatorSpec.secrets), that object must become Ready first.",
            verify="kubectl get secret {secret} -n {namespace} finds it; the object becomes Ready within a minute",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/secrets/",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=("aso.not_ready",),
    ask="kubectl get secret {secret} -n {namespace}",
)
