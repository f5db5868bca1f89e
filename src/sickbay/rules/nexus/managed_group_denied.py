from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A deny assignment forbids changes in a managed resource group (DenyAssignmentAuthorizationFailed)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"\bDenyAssignmentAuthorizationFailed\b|(?i:access is denied because of (?:the|a) deny assignment)(?P<scope>)",
            says="a deny assignment forbids it",
            sample="DenyAssignmentAuthorizationFailed: The client has permission to perform action; however, the access is denied because of the deny assignment",
            near_miss="The client has permission to perform action",
        ),
    ),
    why="A service that owns a managed resource group - a Nexus cluster, a fabric controller, an AKS cluster with node group lock-down - puts a deny assignment on it. It stands above every role, so that even an owner cannot change or delete what is in there directly.",
    remedy=(
        Step(
            "See the deny assignments of the scope.",
            run=(
                "az",
                "rest",
                "--method",
                "get",
                "--url",
                "https://management.azure.com{scope}/providers/Microsoft.Authorization/denyAssignments?api-version=2022-04-01",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make the change through the service itself - an action, update or delete of the cluster that owns the group.",
            risk=Risk.DISRUPTIVE,
            verify="the operation of the owner succeeds",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/role-based-access-control/deny-assignments",),
)
