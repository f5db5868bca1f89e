from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The subscription has as many role assignments as it may have (RoleAssignmentLimitExceeded)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\bRoleAssignmentLimitExceeded\b|(?i:(?:no more|cannot create more|maximum (?:number )?of|limit (?:of|for)) .{0,40}?role assignments)",
            says="no further role assignment can be made",
            sample="(RoleAssignmentLimitExceeded) The number of role assignments has exceeded the limit of 4000 for the subscription.",
            near_miss="The role assignment was created",
        ),
    ),
    why="A subscription holds a fixed number of role assignments (4000 today). AKS gives roles to the identities of the cluster and its add-ons; when the subscription is full, none can be made, and creation or enabling of the add-on fails.",
    remedy=(
        Step(
            "Count them.",
            run=(
                "az",
                "role",
                "assignment",
                "list",
                "--all",
                "--query",
                "length(@)",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete assignments of principals that no longer exist, and give roles to groups instead of to single users."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/role-based-access-control/troubleshoot-limits",),
    leads_to=(
        "aks.role_assignment_refused",
        "aks.operation_failed",
        "aks.request_refused",
    ),
    ask="az role assignment list --all --query length(@)",
)
