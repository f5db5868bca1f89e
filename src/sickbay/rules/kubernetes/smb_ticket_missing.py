from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The node has no Kerberos ticket for a file share that is mounted by identity (mount error 126, sec=krb5)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"mount error\(126\): Required key not available|failed to create a new SMB session with Kerberos: (?P<code>-\d+)|cifs\.upcall.{0,40}?: Unable to obtain service ticket",
            says="the SMB client finds no ticket",
            sample="Output: mount error(126): Required key not available Refer to the mount.cifs(8) manual page (e.g. man mount.cifs) and kernel log messages (dmesg)",
            near_miss="mount error(13): Permission denied",
        ),
    ),
    why="A share that is mounted by identity (sec=krb5: managed identity for SMB, or a domain) needs a Kerberos ticket in the cache of the node before the mount. None is there: the identity is not assigned to the node or has no role Storage File Data SMB MI Admin, SMBOauth is off on the storage account, or the helper that fetches tickets (azfilesauthmanager) failed. The kernel then answers `Required key not available`.",
    remedy=(
        Step(
            "Read what the driver on that node says about the ticket.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "-l",
                "app=csi-azurefile-node",
                "-c",
                "azurefile",
                "--tail=200",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether the account accepts SMB by OAuth.",
            run=(
                "az",
                "storage",
                "account",
                "show",
                "-n",
                "<account>",
                "--query",
                "azureFilesIdentityBasedAuthentication",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the kubelet identity the role on the account.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee-object-id",
                "<object-id>",
                "--assignee-principal-type",
                "ServicePrincipal",
                "--role",
                "Storage File Data SMB MI Admin",
                "--scope",
                "<account-id>",
            ),
            verify="kubectl get events -n {namespace} shows no new FailedMount",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/storage/files/files-managed-identities",),
    leads_to=("kubernetes.mount_failed", "kubernetes.share_access_denied"),
    ask="kubectl logs -n kube-system -l app=csi-azurefile-node -c azurefile --tail=200",
)
