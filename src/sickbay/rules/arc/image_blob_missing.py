from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The blob or file of the VM image does not exist at the given path",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)galleryimage.{0,300}?(?:\bBlobNotFound\b|\bContainerNotFound\b|\bResourceNotFound\b|The specified (?:blob|container|resource) does not exist|The system cannot find the (?:file|path) specified|404 Not Found)",
            says="there is no image at the given path",
            sample="moc-operator galleryimage serviceClient returned an error while reconciling: rpc error: code = Unknown desc = ===== RESPONSE ERROR (ErrorCode=BlobNotFound) ===== Description=The specified blob does not exist.",
            near_miss="moc-operator galleryimage created from the specified blob",
        ),
    ),
    why="The image is copied from a blob or from a path below ClusterStorage. Account, container, blob or path is misspelled (their letters count), or the file lies on another volume or was deleted.",
    remedy=(
        Step(
            "See what is there.",
            run=(
                "az",
                "storage",
                "blob",
                "list",
                "--account-name",
                "<account>",
                "-c",
                "<container>",
                "-o",
                "table",
                "--auth-mode",
                "login",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the failed image and create it again with the right path.",
            risk=Risk.DESTRUCTIVE,
            verify="the image shows provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-local/manage/virtual-machine-image-storage-account",
    ),
    leads_to=("arc.cloud_resource_failed",),
    ask="az storage blob list --account-name <account> -c <container> -o table --auth-mode login",
)
