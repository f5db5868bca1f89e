from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The operation cannot be aborted: nothing is running any more (operation-abort)",
    severity=Severity.WARNING,
    categories=(
        Category.UPGRADE,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"(?i)cancel operation is not allowed when|(?:operation-?abort|abort(?:ing)? (?:the )?(?:latest )?operation).{0,120}?(?:not (?:allowed|supported|possible)|cannot|failed)|no operation (?:is )?(?:in progress|running) to (?:abort|cancel)",
            says="there is nothing that can be aborted",
            sample="(OperationNotAllowed) Cancel operation is not allowed when the ProvisioningState is Failed",
            near_miss="The operation was canceled; ProvisioningState is Canceled",
            weight=TYPICAL,
        ),
    ),
    why="az aks operation-abort stops the operation that is running on the cluster or pool. When its state is Succeeded, Failed or Canceled already there is none to stop; the failed state is ended by a successful operation instead.",
    remedy=(
        Step(
            "See the state, and the last operation.",
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
        Step(
            "Reconcile a failed cluster instead of aborting.",
            run=("az", "resource", "update", "--ids", "{subject}"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show --query provisioningState wants Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/manage-abort-operations",),
    leads_to=("aks.request_refused",),
    ask="az aks operation show-latest -g {resource_group} -n {cluster} -o json",
)
