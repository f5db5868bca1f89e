from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure file share of a volume does not exist",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)SmbGlobalMapping.{0,300}?network name cannot be found|The specified share does not exist|ErrorCode=ShareNotFound|ShareNotFound\b",
            says="the file share does not exist",
            sample="GRPC error: rpc error: code = Internal desc = The specified share does not exist. ErrorCode=ShareNotFound",
            near_miss="mount failed: exit status 32 Output: mount error(13): Permission denied",
        ),
        Signature(
            # A closed way to the account can answer the same.
            pattern=r"(?i)mount error\(2\): No such file or directory",
            says="the file share was not found",
            sample="mount failed: exit status 32 Output: mount error(2): No such file or directory",
            near_miss="mount failed: exit status 32 Output: mount error(115): Operation now in progress",
            weight=TYPICAL,
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
