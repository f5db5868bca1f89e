from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The VM image is not a page blob (InvalidBlobType)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"galleryimage.{0,300}?InvalidBlobType|ErrorCode=InvalidBlobType",
            says="the image is of another blob type",
            sample="moc-operator galleryimage serviceClient returned an error while reconciling: rpc error: code = Unknown desc = ===== RESPONSE ERROR (ErrorCode=InvalidBlobType) ===== Description=The blob type is invalid for this operation.",
            near_miss="moc-operator galleryimage serviceClient returned an error while reconciling: rpc error: code = NotFound",
        ),
    ),
    why="Azure Local takes a VHD or VHDX for a gallery image from a page blob only. An image that was uploaded as a block blob is refused with InvalidBlobType.",
    remedy=(
        Step(
            "Upload the image again as a page blob.",
            run=(
                "az",
                "storage",
                "blob",
                "upload",
                "--type",
                "page",
                "--account-name",
                "<account>",
                "--container-name",
                "<container>",
                "--name",
                "<image>.vhd",
                "--file",
                "<image>.vhd",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Create the image again.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/manage/troubleshoot-arc-enabled-vms",),
)
