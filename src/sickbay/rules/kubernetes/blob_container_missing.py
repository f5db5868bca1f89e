from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The blob container of a volume does not exist (404)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)blobfuse2?.{0,200}?(?:errno=404|status ?code:? ?404)|\bContainerNotFound\b|The specified container does not exist",
            says="blob storage has no such container",
            sample="MountVolume.MountDevice failed: Exit status 255. Unable to start blobfuse, errno=404. Unable to start blobfuse due to authentication or connectivity issues",
            near_miss="Exit status 255. Unable to start blobfuse, errno=403.",
        ),
        Signature(
            pattern=r"(?i)Exit status 32[.,] No such file or directory|mount\.nfs\d?:.{0,200}?No such file or directory",
            says="the NFS path of a blob container is not there",
            sample="Output: mount.nfs: mounting account.blob.core.windows.net:/account/data failed, reason given by server: No such file or directory",
            near_miss="Output: mount.nfs: mounting account.blob.core.windows.net:/account/data failed: Connection timed out",
        ),
    ),
    why="The volume names a blob storage container (containerName) that the account does not have: it was deleted, misspelled, or lies in another account.",
    remedy=(
        Step(
            "See the containers of the account.",
            run=(
                "az",
                "storage",
                "container",
                "list",
                "--account-name",
                "<account>",
                "--auth-mode",
                "login",
                "--query",
                "[].name",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the container, or correct containerName in the volume.",
            run=(
                "az",
                "storage",
                "container",
                "create",
                "--account-name",
                "<account>",
                "--name",
                "<container>",
                "--auth-mode",
                "login",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/mounting-azure-blob-storage-container-fail",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="az storage container list --account-name <account> --auth-mode login",
)
