from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A secret, key or certificate of the Key Vault is disabled, so nobody may read it (SecretDisabled)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"\b(?:Secret|Key|Certificate)Disabled\b|(?i:operation \w+ is not allowed on a disabled) (?P<kind>secret|key|certificate)",
            says="the vault's object is disabled[: a {kind}]",
            sample='failed to mount objects, error: failed to get objectType:secret, objectName:tls, objectVersion:: keyvault.BaseClient#GetSecret: Failure responding to request: StatusCode=403 -- Original Error: autorest/azure: Service returned an error. Status=403 Code="Forbidden" Message="Operation get is not allowed on a disabled secret." InnerError={"code":"SecretDisabled"}',
            near_miss='az keyvault secret show: "enabled": true, "expires": null',
        ),
    ),
    why="Each version of an object in the vault has the attribute `enabled`. With it off, the vault answers 403 Forbidden to every reader, whatever roles or access policies it has; a mount or a sync that names no version reads the newest one.",
    remedy=(
        Step(
            "See which version is disabled.",
            run=(
                "az",
                "keyvault",
                "secret",
                "list-versions",
                "--vault-name",
                "<vault>",
                "--name",
                "<secret>",
                "--query",
                "[].[id,attributes.enabled,attributes.created]",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Enable it, if it was not disabled on purpose; else set a new version.",
            run=(
                "az",
                "keyvault",
                "secret",
                "set-attributes",
                "--vault-name",
                "<vault>",
                "--name",
                "<secret>",
                "--enabled",
                "true",
            ),
            verify="kubectl get events -n {namespace} shows no new FailedMount",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/key-vault/secrets/about-secrets",),
    leads_to=(
        "kubernetes.external_secret_unsynced",
        "kubernetes.mount_failed",
        "kubernetes.vault_access_denied",
    ),
    ask="az keyvault secret list-versions --vault-name <vault> --name <secret> -o table",
)
