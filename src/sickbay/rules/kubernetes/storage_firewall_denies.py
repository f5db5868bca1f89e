from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import PersistentVolume, has_waiting_pod, subnets_of_nodes
from sickbay.model.vaults import StorageAccount
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)

# An account may be closed on purpose while nobody mounts from it.
_FELT = (
    "kubernetes.mount_failed",
    "kubernetes.share_access_denied",
    "kubernetes.blob_mount_refused",
    "kubernetes.nfs_access_denied",
    "kubernetes.container_creating_stuck",
)


@each(PersistentVolume)
def is_shut_out(volume: PersistentVolume, snapshot: Snapshot) -> Match | Clear | None:
    name = volume.account
    if not name:
        return None
    found = snapshot.grouped(StorageAccount, "key", name.casefold())
    if not found:
        snapshot.require(StorageAccount)
        return None
    account = found[0]
    if not account.is_shut:
        return Clear(f"storage account {account.name} is open, or has a private endpoint")
    subnets = subnets_of_nodes(snapshot)
    because = account.shut_to(frozenset(subnets))
    if not because:
        return Clear(f"storage account {account.name} allows a subnet of the nodes")
    default = account.rules.default_action if account.rules else None
    return Match(
        f"volume {volume.name} is on storage account {account.name}: {because}",
        facts={"account": account.name, "subnet": min(subnets.values(), default="")},
        cites=(account.cite("properties.networkAcls.defaultAction", default),),
        subject=account.ref,
        felt_as=() if has_waiting_pod(volume, snapshot) else _FELT,
    )


RULE = Rule(
    title="The firewall of a storage account does not let the nodes in",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.CONNECTIVITY),
    detect=(
        is_shut_out,
        Signature(
            pattern=r"(?i)request may be blocked by network rules of storage account|(?:https?://(?P<account>[a-z0-9]{3,24})\.(?:blob|file|dfs|queue|table)\.core\.\S{1,300}.{0,400}?)?(?:(?:<Code>|ErrorCode[:=] ?|ERROR CODE: |Code: |\"code\": ?\")AuthorizationFailure\b|\bAuthorizationFailure\b.{0,120}?This request is not authorized to perform this operation)|StatusCode=403, ErrorCode=403 This request is not authorized to perform this operation\.|\b403 \(This request is not authorized to perform this operation\.?\)",
            says="Azure Storage refused the request from this network (AuthorizationFailure)",
            sample="azure.core.exceptions.HttpResponseError: This request is not authorized to perform this operation. ErrorCode:AuthorizationFailure",
            near_miss="ErrorCode:AuthorizationPermissionMismatch This request is not authorized to perform this operation using this permission.",
            weight=TYPICAL,
            unless=r"(?i)using this permission|galleryimage|command output|ErrorCode=AuthorizationFailure",
        ),
    ),
    why="The storage account allows selected networks only (defaultAction Deny, or public access disabled), and the subnet of the nodes is neither allowed nor connected by a private endpoint: mounts end with mount error(13), access denied by server or 403 AuthorizationFailure.",
    remedy=(
        Step(
            "See the network rules of the account.",
            run=(
                "az",
                "storage",
                "account",
                "show",
                "-n",
                "{account}",
                "--query",
                "{rules:networkRuleSet,public:publicNetworkAccess}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the node subnet the service endpoint.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "update",
                "--ids",
                "{subnet}",
                "--service-endpoints",
                "Microsoft.Storage",
            ),
        ),
        Step(
            "Allow the node subnet in the account.",
            run=(
                "az",
                "storage",
                "account",
                "network-rule",
                "add",
                "--account-name",
                "{account}",
                "--subnet",
                "{subnet}",
            ),
            verify="kubectl get pods -A shows no pod in ContainerCreating",
        ),
        Step(
            "Or make a private endpoint for the account in the network of the nodes, with its private DNS zone."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/mounting-azure-blob-storage-container-fail",
    ),
    leads_to=(*_FELT[:-1], "kubernetes.claim_unbound"),
)
