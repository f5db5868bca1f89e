from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The subscription has as many storage accounts in the region as it may (250), so no share can be made",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"MaxStorageAccountsCountPerSubscriptionExceeded|(?i:already contains (?P<count>\d+) storage accounts in location (?P<location>\w+))|StorageAccountLimitExceeded",
            says="no further storage account may be made",
            sample='failed to provision volume with StorageClass "azurefile-csi": rpc error: code = Internal desc = failed to ensure storage account: MaxStorageAccountsCountPerSubscriptionExceeded: Subscription 00000000-0000-0000-0000-000000000000 already contains 250 storage accounts in location westeurope and the maximum allowed is 250.',
            near_miss="Successfully created storage account fsa1 in location westeurope",
        ),
    ),
    why="The Azure Files driver makes a storage account when no existing one fits the parameters of the class; a subscription holds a limited number of them in each region (250 by default).",
    remedy=(
        Step(
            "Count the accounts of the region.",
            run=(
                "az",
                "storage",
                "account",
                "list",
                "--query",
                "length([?location=='{location}'])",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete accounts that nobody uses, ask for a higher quota, or name an existing account in the class (parameter storageAccount).",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pvc -n {namespace} wants STATUS Bound",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/storage/common/scalability-targets-standard-account",
        "https://learn.microsoft.com/azure/aks/azure-files-csi",
    ),
    leads_to=("kubernetes.claim_unbound",),
    ask="az storage account list -o json",
)
