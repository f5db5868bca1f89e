from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The request carries an ETag (if-match) that does not fit the cluster or node pool (PreconditionFailed)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"Resource not found but ETag header is provided|\bOriginalEtagNotExpect\b|Original etag not expected",
            says="the ETag of the request is not that of the resource",
            sample="(PreconditionFailed) Resource not found but ETag header is provided. If this is a request to create, please do not provide ETag.",
            near_miss="(PreconditionFailed) Resource not found",
            weight=TYPICAL,
        ),
    ),
    why="An ETag names one version of a resource: `if-match` lets a request through only while the cluster or pool still has it. Somebody else has written in between (another pipeline, the autoscaler, a start or delete that was running), or the request is to make something new, which has no ETag yet.",
    remedy=(
        Step(
            "See what else was done to the cluster at that time.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "-g",
                "{resource_group}",
                "--offset",
                "1d",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait until no operation runs, read the resource anew, and repeat the request with its current ETag; to create one, leave --if-match out.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "[provisioningState,eTag]",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-etags",),
    leads_to=("aks.operation_failed", "aks.request_refused"),
    ask="az aks show -g {resource_group} -n {cluster} -o json",
)
