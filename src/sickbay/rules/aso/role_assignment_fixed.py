from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The role assignment exists already, or one of its fixed parts was changed",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\b(?P<code>RoleAssignmentExists|RoleAssignmentUpdateNotPermitted)\b(?:.{0,200}?conflicting role assignment is (?P<other>[\w-]+))?|(?i:Tenant ID, application ID, principal ID, and scope are not allowed to be updated)|(?i:The role assignment already exists\b)",
            says="Azure keeps the role assignment as it is ({code})",
            sample="RoleAssignmentUpdateNotPermitted: Tenant ID, application ID, principal ID, and scope are not allowed to be updated.",
            near_miss="The role assignment was created",
        ),
    ),
    why="Azure knows a role assignment by principal, role and scope: a second one with the same three is refused whatever its name (RoleAssignmentExists), and in an existing one they cannot be changed (RoleAssignmentUpdateNotPermitted). It was made before by hand or by another tool, or principalId, role or scope was edited; also when an identity was created anew and its id changed.",
    remedy=(
        Step(
            "See the assignments of the scope.",
            run=(
                "az",
                "role",
                "assignment",
                "list",
                "--scope",
                "<scope>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "RoleAssignmentExists: delete the old one, or take it over with its own name (spec.azureName of ASO, terraform import)."
        ),
        Step(
            "RoleAssignmentUpdateNotPermitted: delete the object and create it anew under another name."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/role-based-access-control/troubleshooting",
        "https://azure.github.io/azure-service-operator/guide/frequently-asked-questions/",
    ),
    leads_to=(
        "aso.request_refused",
        "aso.not_ready",
        "aks.request_refused",
        "aks.operation_failed",
    ),
    ask="az role assignment list --all -o json",
)
