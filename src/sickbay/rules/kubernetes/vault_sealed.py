from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="HashiCorp Vault is sealed, so its pods are not ready and give out no secrets",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i:Error making API request).{0,300}?Code: 503.{0,40}?[Vv]ault is sealed|\bVault is sealed\b|Seal Type \w+ (?:Recovery Seal Type \w+ )?Initialized \w+ Sealed true|core: security barrier not initialized|core: seal configuration missing, not initialized",
            says="Vault is sealed or not initialised",
            sample="Readiness probe failed: Key Value --- ----- Seal Type shamir Initialized true Sealed true Total Shares 5",
            near_miss="Seal Type shamir Initialized true Sealed false",
        ),
    ),
    why="After each start Vault holds its data encrypted and waits for the unseal keys, or for the key vault of its auto-unseal. Until then its readiness probe fails, and nothing that needs its secrets works.",
    remedy=(
        Step(
            "See its state.",
            run=(
                "kubectl",
                "exec",
                "<vault-pod>",
                "-n",
                "{namespace}",
                "--",
                "vault",
                "status",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Unseal it with the keys, or mend the way to the key that auto-unseal uses.",
            risk=Risk.SAFE,
            verify="vault status shows Sealed false",
        ),
    ),
    docs=("https://developer.hashicorp.com/vault/docs/concepts/seal",),
    leads_to=(
        "kubernetes.external_secret_unsynced",
        "kubernetes.probe_bad_answer",
        "kubernetes.readiness_fails",
        "kubernetes.probe_failed",
    ),
    ask="kubectl exec <vault-pod> -n {namespace} -- vault status",
)
