from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The signed link (SAS) to a blob is expired, not yet valid, or was cut when it was copied",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.STORAGE),
    detect=(
        Signature(
            pattern=r"(?i)Signature not valid in the specified (?:key )?time frame|Signature did not match\. String to sign used was|Signature fields not well formed|signed expiry time .{0,60}?(?:must be|has to be) after|galleryimage.{0,300}?ErrorCode=AuthenticationFailed\b|(?:\.vhdx?\b|[?&;](?:sig|sv|se)=).{0,400}?Server failed to authenticate the request\. Make sure the value of Authorization header",
            says="the signature of the link is not valid",
            sample="AuthenticationErrorDetail: Signature not valid in the specified time frame: Start [Tue, 02 Apr 2024] - Expiry [Wed, 03 Apr 2024] - Current [Thu, 04 Apr 2024]",
            near_miss="SAS signature accepted, expiry in 6 hours",
        ),
    ),
    why="A link with a shared access signature is valid between two times, for one blob, and only when it arrives whole. It has expired (a long download of an image outlives it), the clock of the reader is wrong, the key behind it was renewed, or characters such as & and % were lost on the command line.",
    remedy=(
        Step(
            "Make a new link that is valid for a day or more.",
            run=(
                "az",
                "storage",
                "blob",
                "generate-sas",
                "--account-name",
                "<account>",
                "-c",
                "<container>",
                "-n",
                "<blob>",
                "--permissions",
                "r",
                "--expiry",
                "<time>",
                "--full-uri",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Give it in quotes, delete the failed image, and create it again.",
            verify="the image shows provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-local/manage/virtual-machine-image-storage-account",
    ),
    leads_to=("arc.cloud_resource_failed",),
    ask="az storage blob generate-sas --account-name <account> -c <container> -n <blob> --permissions r",
)
