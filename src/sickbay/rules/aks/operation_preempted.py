from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A later operation preempted this one",
    severity=Severity.WARNING,
    categories=(Category.UPGRADE, Category.SCALING),
    detect=(
        Signature(
            pattern=r"\b(?:AKS)?OperationPreempted(?:ByDelete)?\b|(?i:operation execution has been preempted)|(?i:\boperation (?:was )?preempted by)|(?i:overrid+en and cancell?ed by a lat)|(?i:\boperation discarded: current\b)|(?i:operation has been preempted by (?P<other>\w+) operation)",
            says="the operation was preempted",
            sample='Code: "AKSOperationPreemptedByDelete" Message: "This operation has been preempted by Deleting operation."',
            near_miss="This operation was not interrupted by another operation",
        ),
    ),
    why="A newer operation, often a deletion, took the place of this one. What fails here was given up on purpose.",
    remedy=(
        Step(
            "See what the newer operation is and how it ended.",
            run=(
                "az",
                "aks",
                "operation",
                "show-latest",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step("When it has ended, run yours again if it is still wanted."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/aksoperationpreempted-error",
    ),
    leads_to=(
        "aks.etag_unfit",
        "aks.operation_failed",
        "aks.request_refused",
    ),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)
