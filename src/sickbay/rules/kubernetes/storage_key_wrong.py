from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure Storage refuses the account key of a program: wrong or rotated (AuthenticationFailed)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"The MAC signature found in the HTTP request .{0,400}?is not the same as any computed signature",
            says="the request was signed with another key than those of the account",
            sample="RESPONSE 403: AuthenticationFailed. The MAC signature found in the HTTP request 'Xn052Bc' is not the same as any computed signature. Server used following string to sign: 'PUT'",
            near_miss="The MAC signature found in the HTTP request was accepted",
        ),
        Signature(
            pattern=r"(?i)Server failed to authenticate the request\. Make sure the value of (?:the )?Authorization header is formed correctly including the signature",
            says="Azure Storage could not verify the signature of the request",
            sample="ErrorCode:AuthenticationFailed Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.",
            near_miss="Make sure the value of the Authorization header is kept secret.",
            weight=TYPICAL,
            # A signed link is another matter, and so is a mounted share.
            unless=r"(?i)Signature (?:not valid|did not match|fields)|signed expiry|[?&;](?:sig|se|sv)=|\.vhdx?\b|galleryimage|file\.core\.|ErrorCode=AuthenticationFailed|tfstate|terraform",
        ),
    ),
    why="With shared key authorization a client signs each request with a key of the storage account. The key in the secret, connection string or component is of another account, cut in copying, or was rotated since; a clock that is more than fifteen minutes off has the same effect.",
    remedy=(
        Step(
            "See the keys of the account, and when they were made.",
            run=("az", "storage", "account", "keys", "list", "-n", "<account>", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Put the key that is valid now into the secret or connection string, and restart what reads it.",
            verify="the same request is answered",
        ),
        Step(
            "Or sign in with workload identity and a data role (Storage Blob Data Contributor), which has no key."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/storage/common/storage-account-keys-manage",
        "https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key",
    ),
    leads_to=(
        "kubernetes.backup_failed",
        "kubernetes.blob_mount_refused",
        "kubernetes.mount_failed",
        "kubernetes.claim_unbound",
    ),
    ask="az storage account keys list -n <account> -o table",
)
