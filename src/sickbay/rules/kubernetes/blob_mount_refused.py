from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A blob storage container cannot be mounted (missing, wrong key, or network not allowed)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)Unable to start blobfuse|blobfuse2?.{0,200}?(?:errno=(?P<errno>\d+)|status code (?P<status>\d+))",
            says="blobfuse could not mount the container",
            sample="Exit status 255. Unable to start blobfuse, errno=404. Unable to start blobfuse due to authentication or connectivity issues",
            near_miss="blobfuse2 mounted container data",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)Exit status 32[.,] (?:access denied by server while mounting|No such file or directory)|mount\.nfs.{0,200}?(?:access denied by server|No such file or directory)|access denied by server while mounting",
            says="the NFS mount of a blob container was refused",
            sample="MountVolume.MountDevice failed: Exit status 32, access denied by server while mounting account.blob.core.windows.net:/account/data",
            near_miss="mount.nfs: mounted account.blob.core.windows.net:/account/data",
            weight=TYPICAL,
        ),
    ),
    why="The blob storage container of the volume does not exist (errno 404, no such file), the account key is wrong (403), or the network rules of the account do not allow the node subnet (access denied by server, NFS ports 111 and 2049, firewall).",
    remedy=(
        Step(
            "See whether the container exists.",
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
            "Create the container, correct the secret, or allow the node subnet in the network rules of the account.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/mounting-azure-blob-storage-container-fail",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
