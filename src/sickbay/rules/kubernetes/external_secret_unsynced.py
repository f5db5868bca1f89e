from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="External Secrets (or akv2k8s) does not sync a secret from its store (SecretSyncedError, InvalidProviderConfig)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"\bSecretSyncedError\b|could not get secret data from provider|the desired (?:Cluster)?SecretStore \S{1,120} is not ready|SecretStore \"[\w.-]{1,120}\" is not ready|\bInvalidProviderConfig\b|could not get (?:provider|store) client|\d+[smhd] ValidationFailed (?:Read(?:Write|Only) |WriteOnly )?False\b|\bErrAzureVault\b|Failed to get secret for '?[\w.-]{1,120}'? from Azure Key Vault|error processing spec\.data(?:From)?\[\d+\]|\bValidationFailed\b.{0,80}?(?:SecretStore|secret-?store)",
            says="an external secret is not synced",
            sample="dex   dex-secrets   vault   1h   SecretSyncedError   False",
            near_miss="externalsecret.external-secrets.io/web   kv   1h   SecretSynced   True",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The External Secrets operator signs in to the store (Key Vault, Vault, another cloud) and copies the values that an ExternalSecret names into a secret. A store that cannot be reached or refuses its identity (InvalidProviderConfig), a name or key that is not there, or a value that is no JSON where one is expected leaves the secret unmade or old, and the pods without it.",
    remedy=(
        Step(
            "Read the reason in the events of the external secret and its store.",
            run=(
                "kubectl",
                "describe",
                "externalsecrets,secretstores",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read the log of the operator.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "external-secrets",
                "deployment/external-secrets",
                "--tail=100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the identity or address of the store, or the key that remoteRef names.",
            risk=Risk.SAFE,
            verify="kubectl get externalsecrets wants STATUS SecretSynced",
        ),
    ),
    docs=("https://external-secrets.io/latest/provider/azure-key-vault/",),
    leads_to=("kubernetes.config_missing",),
    ask="kubectl describe externalsecrets,secretstores -n {namespace}",
    wraps=True,
)
