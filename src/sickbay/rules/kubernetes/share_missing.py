from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure file share of a volume does not exist",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)mount error\(2\): No such file or directory|The specified share does not exist|ErrorCode=ShareNotFound|ShareNotFound\b",
            says="the file share does not exist",
            sample="mount failed: exit status 32 Output: mount error(2): No such file or directory",
            near_miss="mount failed: exit status 32 Output: mount error(13): Permission denied",
        ),
    ),
    why="The Azure file share (SMB) that the volume names does not exist in the storage account, or the volume names the wrong account: mount error(2).",
    remedy=(
        Step(
            "List the shares of the account.",
            run=(
                "az",
                "storage",
                "share-rm",
                "list",
                "--storage-account",
                "<account>",
                "--query",
                "[].name",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the share.",
            run=(
                "az",
                "storage",
                "share-rm",
                "create",
                "--storage-account",
                "<account>",
                "--name",
                "<share>",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
