from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The storage account forbids public access, so a container cannot be made public (PublicAccessNotPermitted)",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\bPublicAccessNotPermitted\b|(?i:Public access is not permitted on this storage account)",
            says="the account does not permit public access",
            sample="PublicAccessNotPermitted: Public access is not permitted on this storage account.",
            near_miss="Public access is permitted on this storage account.",
        ),
    ),
    why="allowBlobPublicAccess of the storage account is false, which is the default for new accounts and often enforced by policy. A container with publicAccess Blob or Container is refused then, and anonymous readers get the same code.",
    remedy=(
        Step(
            "See what the account allows.",
            run=(
                "az",
                "storage",
                "account",
                "show",
                "-n",
                "<account>",
                "--query",
                "allowBlobPublicAccess",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set publicAccess of the container to None (and give readers a role or a SAS), or set allowBlobPublicAccess of the account to true where that is wanted.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/storage/blobs/anonymous-read-access-prevent",),
    leads_to=("aks.parameter_invalid", "aso.invalid_value", "aso.request_refused", "aso.not_ready"),
    ask="kubectl get azure -n {namespace} -o yaml",
)
