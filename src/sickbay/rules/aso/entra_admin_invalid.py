from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Entra administrator of a database server is not valid: object id (sid), name or tenant does not match",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\b(?P<code>InvalidExternalAdministrator\w*|InvalidAadAdministrator\w*|InvalidADAdmin\w*|InvalidPrincipalName|AadAdminPrincipal\w*|PrincipalTypeMismatch|AadPrincipal\w*NotFound|InvalidServerAADAdmin\w*)\b|(?i:Invalid or missing external administrator)|active directory administrator type should be ActiveDirectory|(?i:(?:AAD|Entra|Azure AD|Active Directory) (?:ID )?admin(?:istrator)?\w* .{0,80}?(?:not found|does not exist|is invalid|is not valid|cannot be found))",
            says="the Entra administrator is not valid[ ({code})]",
            sample="InvalidExternalAdministratorSid: Invalid or missing external administrator Sid. Please select a valid administrator Sid.",
            near_miss="The external administrator was set.",
        ),
    ),
    why="SQL, PostgreSQL and MySQL servers take an Entra administrator by name (login), object id (sid) and tenant. For a managed identity the sid is the client id in SQL and the object (principal) id in PostgreSQL and MySQL; a name or principal type that does not match the object, or a user of another tenant, is refused.",
    remedy=(
        Step(
            "See the ids of the principal.",
            run=(
                "az",
                "ad",
                "sp",
                "show",
                "--id",
                "<principal-id>",
                "--query",
                "{name:displayName,objectId:id,clientId:appId}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct login, sid and tenantId in the administrators of the server (or in the FlexibleServersAdministrator), best from the config map that the UserAssignedIdentity writes.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-sql/database/authentication-aad-configure",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/reconciliation-failures/",
    ),
    leads_to=("aks.parameter_invalid", "aso.invalid_value", "aso.request_refused", "aso.not_ready"),
    ask="kubectl get azure -n {namespace} -o yaml",
)
