from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A role assignment names a role definition that does not exist (RoleDefinitionDoesNotExist)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CREATION),
    detect=(
        Signature(
            pattern=r"\bRoleDefinitionDoesNotExist\b(?:.{0,80}?ID '?(?P<role>[\w-]{8,40}))?|The specified role definition with ID '?(?P<named>[\w-]{0,40})'? does not exist",
            says="there is no role definition [{role}][{named}]",
            sample="RoleDefinitionDoesNotExist: The specified role definition with ID '4633458b17de408ab874c445c86b69e6' does not exist.",
            near_miss="The specified role definition with ID '4633458b17de408ab874c445c86b69e6' exists.",
        ),
    ),
    why="roleDefinitionReference must hold the full ARM id of a role whose GUID exists and whose assignable scopes contain the scope of the assignment. A typing error in the GUID, a custom role of another tenant or subscription, or one that was just created and is not replicated yet is answered like this.",
    remedy=(
        Step(
            "Find the id of the role by its name.",
            run=(
                "az",
                "role",
                "definition",
                "list",
                "--name",
                "<role>",
                "--query",
                "[].{{id:id,scopes:assignableScopes}}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Put that id into roleDefinitionReference.armId; the role of an existing assignment cannot be changed, so delete the object and create it anew.",
            verify="kubectl get roleassignments -A wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/role-based-access-control/troubleshooting",
        "https://learn.microsoft.com/azure/role-based-access-control/built-in-roles",
    ),
    leads_to=("aso.referenced_resource_missing", "aso.request_refused", "aso.not_ready"),
    ask="az role definition list --name <role> -o json",
)
