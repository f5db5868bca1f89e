from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An NFS share or container refuses the node (access denied by server while mounting)",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)access denied by server while mounting(?: (?P<host>[\w.-]+):(?P<path>/[\w./-]+))?|mount\.nfs\d?:.{0,200}?access denied by server|mount\.nfs\d?: Operation not permitted",
            says="the NFS server refused the mount",
            sample="MountVolume.MountDevice failed: Output: mount.nfs: access denied by server while mounting account.blob.core.windows.net:/account/data",
            near_miss="mount.nfs: mounted account.blob.core.windows.net:/account/data",
            weight=TYPICAL,
        ),
    ),
    why="NFS on blob storage or Azure Files knows no key: the network alone decides. The firewall of the storage account does not allow the node subnet and there is no private endpoint, the account demands secure transfer, or the path is not exported.",
    remedy=(
        Step(
            "See the network rules and whether secure transfer is demanded.",
            run=(
                "az",
                "storage",
                "account",
                "show",
                "-n",
                "<account>",
                "--query",
                "{rules:networkRuleSet,public:publicNetworkAccess,https:enableHttpsTrafficOnly,nfs:enableNfsV3}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the node subnet (with the service endpoint Microsoft.Storage), or make a private endpoint.",
            run=(
                "az",
                "storage",
                "account",
                "network-rule",
                "add",
                "--account-name",
                "<account>",
                "--subnet",
                "<subnet-id>",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/mounting-azure-blob-storage-container-fail",
        "https://learn.microsoft.com/azure/storage/files/storage-files-how-to-mount-nfs-shares",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="az storage account show -n <account> --query networkRuleSet",
)
