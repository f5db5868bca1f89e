from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The authorized IP ranges for the API server are refused: not public, not a CIDR, or a private cluster",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i:number of authorized ip ranges \d+)|\bInvalid(?:IPRangeCIDR|AuthorizedIPRange\w*)\b|(?i:authorized[ -]?ip[ -]?ranges?\b.{0,160}?(?:\binvalid\b|must be|not (?:allowed|supported|valid|a valid)|cannot|can't|maximum|exceed|more than|only|private cluster|both))|(?i:authorizedIPRanges?\b.{0,120}?(?:\binvalid\b|must be|not (?:allowed|supported|valid)|cannot|exceed))",
            says="the authorized IP ranges are refused",
            sample="--api-server-authorized-ip-ranges must be global non-reserved addresses or CIDRs",
            near_miss="authorizedIPRanges: 203.0.113.0/24",
            weight=TYPICAL,
            unless=r"(?i)not in (?:the )?authorized|connection|timed? ?out|refused|i/o timeout",
        ),
    ),
    why="apiServerAccessProfile.authorizedIPRanges takes up to 200 public IPv4 ranges in CIDR form. Private addresses, IPv6 and 0.0.0.0/32 beside others are refused, and so are ranges on a private cluster, whose API server has no public address to guard.",
    remedy=(
        Step(
            "See the ranges that hold now.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "apiServerAccessProfile",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give public CIDRs only.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--api-server-authorized-ip-ranges",
                "<public-cidr>",
            ),
            risk=Risk.SAFE,
            verify="az aks show --query apiServerAccessProfile.authorizedIpRanges wants the list",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges",),
    leads_to=("aks.request_refused",),
    ask="az aks show -g {resource_group} -n {cluster} --query apiServerAccessProfile -o json",
)
