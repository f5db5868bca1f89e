from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The resource is protected from deletion: immutability policy, legal hold, lease or backups hold it",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\b(?P<code>ContainerImmutab\w*Failure|(?:Blob|Container)Immutable(?:DueTo|Storage)\w+|ContainerProtectedFromDeletion|AccountProtectedFromDeletion|UserErrorDeleteBackupItemOnImmutableItem|UserErrorVaultDeletion\w+|ServiceResourceNotEmptyWith\w+|ShareHasSnapshots)\b|(?i:(?:not allowed|not permitted|cannot|can't|fail\w*|not supported) .{0,120}?(?:immutab\w+ (?:polic|stor|stat)|legal hold|active lease))|(?i:protected from deletion due to)|(?i:vault .{0,80}?(?:cannot|can't) be deleted as there are existing (?:resources|backup))|(?i:there is currently a lease on the (?:container|share))",
            says="it cannot be deleted: it is protected[ ({code})]",
            sample="ContainerImmutabilityFailure: The operation is not allowed because the container has immutability policy or legal hold",
            near_miss="The container has no policy and was deleted",
        ),
    ),
    why="Storage containers with an immutability policy or legal hold, leased blobs, file shares with backups and snapshots, and vaults with backup or soft-deleted items refuse deletion until the retention has run out or the protection is taken away. The finalizer of ASO holds the Kubernetes object that long, since every deletion is answered with a conflict.",
    remedy=(
        Step(
            "See what protects it.",
            run=(
                "az",
                "storage",
                "container",
                "show",
                "--account-name",
                "<account>",
                "-n",
                "<container>",
                "--auth-mode",
                "login",
                "--query",
                "properties",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait for the retention, remove the legal hold, lease or backup items, or leave the resource in Azure: set the annotation serviceoperator.azure.com/reconcile-policy to detach-on-delete, and the object goes while the resource stays.",
            run=(
                "kubectl",
                "annotate",
                "-n",
                "{namespace}",
                "<kind>/{name}",
                "serviceoperator.azure.com/reconcile-policy=detach-on-delete",
                "--overwrite",
            ),
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} no longer lists the object",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/storage/blobs/immutable-storage-overview",
        "https://azure.github.io/azure-service-operator/guide/annotations/",
    ),
    leads_to=(
        "kubernetes.finalizer_blocks_deletion",
        "aso.delete_blocked_by_dependents",
        "aso.invalid_value",
        "aso.request_refused",
        "aso.not_ready",
    ),
    ask="kubectl get azure -n {namespace} -o yaml",
)
