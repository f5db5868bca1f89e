from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The storage account refuses the file share (permission denied, 403: key or network rule)",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)mount error\(13\): Permission denied|file\.core\.windows\.net.{0,400}?(?:STATUS_LOGON_FAILURE|STATUS_ACCESS_DENIED|Permission denied)|StatusCode=403, ErrorCode=(?:AuthorizationFailure|AuthenticationFailed)|SmbGlobalMapping.{0,200}?(?:network password is not correct|user name or password is incorrect|Access is denied)",
            says="the storage account refused the mount or the creation of a share",
            sample='MountVolume.MountDevice failed for volume "pv-share" : rpc error: code = Internal desc = mount failed: exit status 32 Output: mount error(13): Permission denied',
            near_miss="Output: mount error(2): No such file or directory",
            weight=TYPICAL,
        ),
    ),
    why="The Azure Files (SMB, CIFS) share refuses the node with 403 or mount error(13): the storage account key in the secret is wrong or was rotated, the network rules (firewall) of the account do not allow the node subnet, or the authorization by key is switched off.",
    remedy=(
        Step(
            "See the network rules of the account and whether keys may be used.",
            run=(
                "az",
                "storage",
                "account",
                "show",
                "--name",
                "<account>",
                "--query",
                "{rules:networkRuleSet,keys:allowSharedKeyAccess}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the node subnet.",
            run=(
                "az",
                "storage",
                "account",
                "network-rule",
                "add",
                "--account-name",
                "<account>",
                "--vnet-name",
                "<vnet>",
                "--subnet",
                "<subnet>",
            ),
        ),
        Step(
            "Or make the secret again with the present key of the account, then restart the pod.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/create-file-share-failed-storage-account",
    ),
    leads_to=(
        "kubernetes.mount_failed",
        "kubernetes.claim_unbound",
    ),
    ask="az storage account show --name <account> --query networkRuleSet",
)
