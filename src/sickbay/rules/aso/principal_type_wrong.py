from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A role assignment names the wrong type of principal (UnmatchedPrincipalType)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\bUnmatchedPrincipalType\b|PrincipalId '?(?P<principal>[\w-]+)'? has type '?(?P<real>\w+)'? ?, which is different from specified|principal ID \[?(?P<named>[\w-]*)\]? was found to be of an unsupported type ?: ?\[?(?P<found>\w*)|\bPrincipalTypeNotSupported\b|Principals of type (?P<kind>\w+) cannot validly be used in role assignments",
            says="the principal[ {principal}] is not of the type that the request names[, but a {real}]",
            sample="UnmatchedPrincipalType: The PrincipalId 'c2ab4' has type 'ServicePrincipal' , which is different from specified PrinciaplType 'User'.",
            near_miss="The PrincipalId 'c2ab4' has type 'ServicePrincipal'.",
        ),
    ),
    why="Azure compares principalType of the role assignment with the object in Entra ID. A managed identity and an application are of the type ServicePrincipal, and the id must be the object id of the service principal, not the client id nor the object id of the application (which is of the type Application and cannot hold a role).",
    remedy=(
        Step(
            "See what the id stands for.",
            run=(
                "az",
                "ad",
                "sp",
                "show",
                "--id",
                "<principal-id>",
                "--query",
                "{id:id,type:servicePrincipalType,appId:appId}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set principalType to ServicePrincipal for a managed identity or an application, and principalId to its object id (for a UserAssignedIdentity: status.principalId, best by principalIdFromConfig).",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/role-based-access-control/troubleshooting",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/reconciliation-failures/",
    ),
    leads_to=("aks.parameter_invalid", "aso.invalid_value", "aso.request_refused", "aso.not_ready"),
    ask="kubectl get azure -n {namespace} -o yaml",
)
