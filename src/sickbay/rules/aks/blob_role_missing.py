from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An identity lacks a data role on the storage account (AuthorizationPermissionMismatch)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"\bAuthorizationPermissionMismatch\b|(?i:not authorized to perform this operation using this permission)",
            says="the identity may not work with the data of the storage account",
            sample="GET https://shop.blob.core.windows.net/velero RESPONSE 403: 403 This request is not authorized to perform this operation using this permission. ERROR CODE: AuthorizationPermissionMismatch",
            near_miss="RESPONSE 200: the blob was read",
        ),
        Signature(
            pattern=r"\bUserErrorExtensionMSIMissingPermissionsOnBackupStorageLocation\b",
            says="the identity of the backup extension has no data role on the storage account",
            sample="UserErrorExtensionMSIMissingPermissionsOnBackupStorageLocation: The Extension identity is missing permissions on the storage account of the backup location.",
            near_miss="UserErrorNone: the backup has finished",
        ),
    ),
    why="Signing in to Azure Storage by Entra ID needs a data role on the account or container (Storage Blob Data Contributor or Reader; Queue and Table have their own). Owner or Contributor on the account give control only, no data: the request is answered with 403 AuthorizationPermissionMismatch. A new role takes up to ten minutes.",
    remedy=(
        Step(
            "See the roles on the storage account.",
            run=(
                "az",
                "role",
                "assignment",
                "list",
                "--scope",
                "<storage-account-id>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the identity the data role.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee-object-id",
                "<identity-object-id>",
                "--assignee-principal-type",
                "ServicePrincipal",
                "--role",
                "Storage Blob Data Contributor",
                "--scope",
                "<storage-account-id>",
            ),
            risk=Risk.SAFE,
            verify="az role assignment list --scope <storage-account-id> wants the identity",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/storage/blobs/assign-azure-role-data-access",),
    ask="az role assignment list --scope <storage-account-id> -o table",
    vague=True,
)
