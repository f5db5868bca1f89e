from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The user may not read the blob of the VM image",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"galleryimage.{0,300}?(?:AuthorizationPermissionMismatch|NoAuthenticationInformation|AuthorizationFailure|PublicAccessNotPermitted)",
            says="the blob of the image is not readable",
            sample="moc-operator galleryimage serviceClient returned an error while reconciling: rpc error: code = Unknown desc = ===== RESPONSE ERROR (ErrorCode=AuthorizationPermissionMismatch) =====",
            near_miss="moc-operator galleryimage created",
        ),
    ),
    why="The gallery image is read with the rights of the user who creates it. Without a data role on the storage account the answer is AuthorizationPermissionMismatch or NoAuthenticationInformation.",
    remedy=(
        Step(
            "Give the user the data role.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee",
                "<user>",
                "--role",
                "Storage Blob Data Contributor",
                "--scope",
                "<storage-account-id>",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Create the image again.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/manage/troubleshoot-arc-enabled-vms",),
)
