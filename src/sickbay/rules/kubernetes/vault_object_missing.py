from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An object that a pod mounts is not found in the Key Vault",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"keyvault\.BaseClient#Get\w+: Failure responding to request: StatusCode=404|(?i:key ?vault).{0,120}?\bSecretNotFound\b|Code=\"?(?:SecretNotFound|KeyNotFound|CertificateNotFound)\"?|A (?:secret|key|certificate) with \(name/id\) (?P<missing>[^ ]{1,200}) was not found in this key vault|failed to get objectType: ?\w{3,10}, objectName: ?(?P<object>[\w-]{1,127}),.{0,400}?(?:RESPONSE 404|ERROR CODE: (?:Secret|Key|Certificate)NotFound)",
            says="the key vault has no such object",
            sample='failed to mount objects, error: failed to get objectType:secret, objectName:db, objectVersion:: keyvault.BaseClient#GetSecret: Failure responding to request: StatusCode=404 -- Original Error: Status=404 Code="SecretNotFound" Message="A secret with (name/id) db was not found in this key vault.',
            near_miss="keyvault.BaseClient#GetSecret: Failure responding to request: StatusCode=403",
        ),
    ),
    why="The SecretProviderClass names a secret, key or certificate that is not found in the Key Vault: misspelled, deleted (also soft-deleted), disabled, or of another object type.",
    remedy=(
        Step(
            "List what the vault has.",
            run=(
                "az",
                "keyvault",
                "secret",
                "list",
                "--vault-name",
                "<vault>",
                "--query",
                "[].name",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the object, or correct objectName and objectType.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-key-vault-csi-secrets-store-csi-driver",
    ),
    leads_to=(
        "kubernetes.external_secret_unsynced",
        "kubernetes.mount_failed",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
