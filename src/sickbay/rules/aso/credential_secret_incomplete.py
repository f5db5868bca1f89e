from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ASO credential secret lacks a mandatory key such as AZURE_CLIENT_ID",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r'credential [Ss]ecret "(?P<secret>[^"]{1,300})" does not contain key "(?P<key>\w+)|invalid (?P<kind>Client Secret Credential|Identity) for \W{0,2}(?P<named>[\w./-]+)\W{0,2} encountered',
            says="the credential secret {secret} has no key {key}",
            sample='credential Secret "default/aso-credential" does not contain key "AZURE_CLIENT_ID"',
            near_miss='(Secret "default/pg-admin" does not contain key "password")',
        ),
    ),
    why="A credential secret must hold AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID and AZURE_CLIENT_ID, and a client secret, a certificate or workload identity beside them. ASO cannot sign in with a part of it.",
    remedy=(
        Step(
            "List the keys that the secret has, without their values.",
            run=(
                "kubectl",
                "describe",
                "secrets",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the key {key} to the secret {secret}.",
            verify="kubectl describe secrets -n {namespace} lists {key}; the object becomes Ready",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/",
        "https://azure.github.io/azure-service-operator/guide/authentication/credential-format/",
    ),
    leads_to=("aso.not_ready",),
    ask="kubectl describe secrets -n {namespace}",
)
