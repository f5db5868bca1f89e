from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A secret exists but lacks the key that an ASO object asks for (SecretNotFound)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r'(?:\(|secret references?:? .{0,300}?)Secret "(?:(?P<namespace>[\w.-]+)/)?(?P<secret>[\w.-]+)" does not contain key "(?P<key>[^"]{1,253})"',
            says="the secret {secret} has no key {key}",
            sample='failed resolving secret references: default/pg-admin does not exist (Secret "default/pg-admin" does not contain key "password")',
            near_miss='credential Secret "default/aso-credential" does not contain key "AZURE_CLIENT_ID"',
        ),
    ),
    why="A secret reference of ASO names a secret and a key in it. The secret is there and the key is not, which ASO reports as SecretNotFound too.",
    remedy=(
        Step(
            "List the keys of the secret, without their values.",
            run=(
                "kubectl",
                "describe",
                "secret",
                "{secret}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the key {key} to the secret, or name one that it has in the spec.",
            verify="kubectl describe secret {secret} -n {namespace} lists {key}",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/secrets/",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=("aso.not_ready",),
    ask="kubectl describe secret {secret} -n {namespace}",
)
