from sickbay.model.aso import AsoObject
from sickbay.model.aso_codes import OTHERS, TAKEN, answer_says, answered, is_of, said, told
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject, weight=TYPICAL)
def condition_says_taken(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    trouble = thing.trouble
    if trouble is None or not is_of(TAKEN, trouble.reason):
        return None
    return Match(
        f"the name of {thing.object_kind} {thing.name} is taken: {trouble.reason}",
        cites=(thing.cite("status.conditions[type=Ready].message", trouble.message),),
    )


_WORDS = r"(?i:already exists|(?:name|label|alias|domain|subdomain) .{0,80}?already (?:taken|used|in use|been|registered)|globally unique)"

RULE = Rule(
    title="The name in Azure is taken: somebody else has it, or a resource deleted lately still holds it",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        condition_says_taken,
        Signature(
            pattern=r"(?i)\bStorageAccountInAnotherResourceGroup\b|\bTargetDiskBlobAlreadyExists\b|\bObjectIsDeletedButRecoverable\b|\b(?P<code>StorageAccountAlreadyTaken|StorageAccountAlreadyExists|VaultAlreadyExists|NameAlreadyExists|ServerNameAlreadyExists|RegistryNameInUse|NameUnavailable|DomainNameTaken|CustomSubDomainInUse|FlagMustBeSetForRestore|NameNotAvailable)\b|already exists in (?:a )?(?:soft.?)?deleted state|in a deleted but recoverable state, and its name cannot be reused|\bname '?[\w.-]{1,80}'? is not unique\b|exists already and hence cannot be created|(?:Dns|DNS) record for (?P<record>[\w.-]+) under zone \w+ is already taken|\bCustomDomainInUse\b|(?i:alias '[\w.-]{1,80}' is not avail\w*ble)|(?i:specified (?:\w+ )?name is not available)|Website with given name (?P<site>[\w.-]+) already exists|name is previously used in another project|subdomain name '(?P<subdomain>[\w.-]+)' is not available|was soft-?deleted\. In order to create the new service with the same name|specified (?:server )?name is already (?:used|in use|taken)|exists? in (?:a )?soft.?deleted? state|registry DNS name (?P<registry>[\w.-]+) is already in use|server group in dropping state|(?:account|vault|registry|server|namespace) (?:named )?'?[\w.-]{1,80}'? (?:is )?already (?:taken|in use)\b",
            says="the name cannot be used",
            sample="StorageAccountAlreadyTaken: The storage account named sa1 is already taken.",
            near_miss="The storage account named sa1 is available.",
        ),
        Signature(
            pattern=told(TAKEN),
            says="the name is taken ({code})",
            sample="thing1 False Warning NamespaceAlreadyExists Choose another one.",
            near_miss="thing1 False Info Reconciling Choose another one.",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=said(_WORDS),
            says="something of that name is there already",
            sample="rec1 False Warning BadRequest The record set 'www' cannot be created because one with the same name already exists",
            near_miss="rec1 True Succeeded",
            weight=TYPICAL,
            unless=r"(?i)role ?assignment|in location|in progress|different (?:location|region)|already exists in (?:location|region)|subnet|peering|already in use by|secret|configmap",
        ),
        Signature(
            pattern=rf"(?:{answered(TAKEN)}|{answer_says(_WORDS)})",
            says="the name is taken[ ({code})]",
            sample="performing CreateOrUpdate: unexpected status 409 (409 Conflict) with error: ClusterNameAlreadyExists: Choose another one.",
            near_miss="performing CreateOrUpdate: the cluster was created.",
            weight=TYPICAL,
            unless=OTHERS
            + r"|(?i:role ?assignment|\bResourceAlreadyExists|Extension|Kubernetes|secret|config ?map|subnet|peering|in progress|(?:different|another) (?:location|region))",
            vague=True,
            passes=True,
        ),
    ),
    why="Names of storage accounts, vaults, registries, servers and namespaces are unique in all of Azure. Another subscription has it (AlreadyTaken, NameNotAvailable), or a vault, account or API service of that name was deleted and is kept for recovery (soft delete), which answers Conflict until it is purged or restored. A database server of that name that is still being dropped holds it for some minutes too.",
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
    leads_to=(
        "aso.operation_conflict",
        "aso.request_refused",
        "aso.not_ready",
        "aks.request_refused",
        "aks.deployment_failed",
        "aso.invalid_value",
    ),
    ask="az keyvault list-deleted -o table",
)
