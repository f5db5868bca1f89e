from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Too many calls to the AKS resource provider for one subscription (429 Throttled)",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.SCALING,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?i)request limit has been exceeded for (?:SubID|agent ?pool|managed ?cluster)|aka\.ms/aks/throttling|SubCode: Throttled\b|Code=\"?Throttled\b|^\(?Throttled\b[):]|\bCode: ?\"?Throttled\b",
            says="the AKS provider throttles the subscription",
            sample='Category: ClientError; SubCode: Throttled; Status=429 Code="Throttled" Message="The PutManagedClusterHandler.PUT request limit has been exceeded for SubID=\'s\', please retry again in 10 seconds. For more information, please visit aka.ms/aks/throttling"',
            near_miss="Category: ClientError; SubCode: NotThrottledAtAll; the request was served",
            # A key vault says Throttled, too.
            unless=r"(?i)key ?vault|vault\.azure|request was not processed because too many requests",
            passes=True,
        ),
    ),
    why="The AKS provider allows each subscription and cluster so many PUT, LIST and pool operations in a time and answers 429 `Throttled`. Pipelines that update many clusters at once, or that poll a cluster every second, use the allowance up.",
    remedy=(
        Step("Wait as long as the message says, then repeat the operation."),
        Step(
            "See who calls.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "-g",
                "{resource_group}",
                "--offset",
                "1h",
                "--query",
                "[].{who:caller,what:operationName.value}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Run the operations on a cluster one after the other, and ask less often for its state."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/throttled-error",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.scale_up_failed",
    ),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)
