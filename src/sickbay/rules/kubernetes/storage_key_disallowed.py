from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import FILE_DRIVER, PersistentVolume
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


@each(PersistentVolume, TYPICAL)
def needs_refused_key(volume: PersistentVolume, snapshot: Snapshot) -> Match | Clear | None:
    name = volume.account
    if not name or volume.is_nfs or volume.driver != FILE_DRIVER or volume.is_keyless:
        return None
    found = snapshot.grouped(StorageAccount, "key", name.casefold())
    if not found:
        snapshot.require(StorageAccount)
        return None
    account = found[0]
    if account.allow_shared_key_access is not False:
        return Clear(f"storage account {account.name} allows keys")
    return Match(
        f"volume {volume.name} signs in to storage account {account.name} with its key, and the account allows no keys",
        facts={"account": account.name},
        cites=(account.cite("properties.allowSharedKeyAccess", False),),
        subject=account.ref,
    )


RULE = Rule(
    title="The storage account does not allow access by key, which the volume needs (KeyBasedAuthenticationNotPermitted)",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.IDENTITY,
    ),
    detect=(
        needs_refused_key,
        Signature(
            pattern=r"(?i)KeyBasedAuthenticationNotPermitted|Key based authentication is not permitted on this storage account|StorageAccountKeyAccessDisallowed|storage account does not support key based authentication",
            says="the storage account refuses keys",
            sample='failed to provision volume with StorageClass "azurefile-csi": rpc error: code = Internal desc = failed to create file share pvc-1 on storage account fsa1: StatusCode=403, ErrorCode=KeyBasedAuthenticationNotPermitted, ErrorMessage=Key based authentication is not permitted on this storage account.',
            near_miss="StatusCode=403, ErrorCode=AuthorizationFailure, ErrorMessage=This request is not authorized to perform this operation.",
        ),
    ),
    why="Azure Files by SMB and blobfuse with a key sign in with the key of the storage account; with allowSharedKeyAccess: false (often set by an Azure Policy) the account refuses every key.",
    remedy=(
        Step(
            "See whether keys are allowed.",
            run=(
                "az",
                "storage",
                "account",
                "show",
                "-n",
                "{account}",
                "--query",
                "allowSharedKeyAccess",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow keys on this account, and exempt it from the policy that forbids them.",
            run=(
                "az",
                "storage",
                "account",
                "update",
                "-n",
                "{account}",
                "--allow-shared-key-access",
                "true",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "Or do without keys: a class with NFS (protocol: nfs), or blobfuse with a managed identity.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share",
        "https://learn.microsoft.com/azure/storage/common/shared-key-authorization-prevent",
    ),
    leads_to=(
        "kubernetes.mount_failed",
        "kubernetes.claim_unbound",
        "kubernetes.share_access_denied",
        "kubernetes.blob_mount_refused",
    ),
    ask="az storage account list --query [].{name:name,keys:allowSharedKeyAccess}",
)
