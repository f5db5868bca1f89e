from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The name in Azure is taken: somebody else has it, or a resource deleted lately still holds it",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\b(?P<code>StorageAccountAlreadyTaken|StorageAccountAlreadyExists|VaultAlreadyExists|NameAlreadyExists|ServerNameAlreadyExists|RegistryNameInUse|NameUnavailable|DomainNameTaken|CustomSubDomainInUse|FlagMustBeSetForRestore|NameNotAvailable)\b|already exists in (?:a )?(?:soft.?)?deleted state|exists? in (?:a )?soft.?deleted? state|(?:account|vault|registry|server|namespace) (?:named )?'?[\w.-]{1,80}'? (?:is )?already (?:taken|in use)\b",
            says="the name cannot be used ({code})",
            sample="StorageAccountAlreadyTaken: The storage account named sa1 is already taken.",
            near_miss="The storage account named sa1 is available.",
        ),
    ),
    why="Names of storage accounts, vaults, registries, servers and namespaces are unique in all of Azure. Another subscription has it (AlreadyTaken, NameNotAvailable), or a vault, account or API service of that name was deleted and is kept for recovery (soft delete), which answers Conflict until it is purged or restored.",
    remedy=(
        Step(
            "See whether it is a deleted vault; other services have lists of their own, such as az cognitiveservices account list-deleted.",
            run=("az", "keyvault", "list-deleted", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Choose another spec.azureName: delete the object and create it anew, since the name cannot be changed."
        ),
        Step(
            "Or purge the deleted resource, if its content is not needed any more (or restore it).",
            run=("az", "keyvault", "purge", "--name", "<vault>"),
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-storage-account-name",
        "https://learn.microsoft.com/azure/key-vault/general/key-vault-recovery",
    ),
    leads_to=("aso.operation_conflict", "aso.request_refused", "aso.not_ready"),
    ask="az keyvault list-deleted -o table",
)
