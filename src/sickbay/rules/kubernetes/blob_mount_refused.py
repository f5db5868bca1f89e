from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A blob storage container cannot be mounted (403: wrong key, identity or network not allowed)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)Unable to start blobfuse|failed to initialize new pipeline \[|failed to authenticate credentials for azstorage|blobfuse2?.{0,200}?(?:errno=(?P<errno>\d+)|status code (?P<status>\d+))",
            says="blobfuse could not mount the container",
            sample="Exit status 255. Unable to start blobfuse, errno=403. Unable to start blobfuse due to authentication or connectivity issues",
            near_miss="blobfuse2 mounted container data",
            weight=TYPICAL,
            unless=r"(?i)DNS server lookup failed|errno=404|status ?code:? ?404|ContainerNotFound",
        ),
    ),
    why="The account key in the secret is wrong or was rotated, the identity has no data role (403), or the network rules (firewall) of the storage account do not allow the node subnet.",
    remedy=(
        Step(
            "See the network rules of the account and whether keys are allowed.",
            run=(
                "az",
                "storage",
                "account",
                "show",
                "-n",
                "<account>",
                "--query",
                "{rules:networkRuleSet,public:publicNetworkAccess,keys:allowSharedKeyAccess}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Compare the key in the secret with the account; make the secret again if it differs.",
            run=(
                "kubectl",
                "get",
                "secret",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Or allow the node subnet in the network rules of the account.",
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
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="az storage account show -n <account> --query networkRuleSet",
)
