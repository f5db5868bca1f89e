from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The storage account is disabled, so nothing can be read from it (AccountIsDisabled)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"\bAccountIsDisabled\b|(?i:403 The specified account is disabled)",
            says="the storage account is disabled",
            sample="RESPONSE 403: 403 The specified account is disabled. ERROR CODE: AccountIsDisabled",
            near_miss="RESPONSE 403: This request is not authorized to perform this operation. ERROR CODE: AuthorizationFailure",
        ),
    ),
    why="Azure Storage answers every request to a disabled account with 403: its subscription is disabled or past due, or the owner or a policy switched the account off. No role or key of the reader changes that.",
    remedy=(
        Step(
            "See the state of the account and its subscription.",
            run=(
                "az",
                "storage",
                "account",
                "show",
                "-n",
                "<account>",
                "--query",
                "statusOfPrimary",
            ),
            risk=Risk.READ,
        ),
        Step("Enable the subscription or account again, or take the data from another source."),
    ),
    docs=("https://learn.microsoft.com/rest/api/storageservices/common-rest-api-error-codes",),
    leads_to=("arc.cloud_resource_failed",),
    ask="az storage account show -n <account> --query statusOfPrimary",
)
