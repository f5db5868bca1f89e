from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="Whoever runs the command may not create or read applications in Entra ID",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?i)403 Client Error: Forbidden for url: https://graph\.(?:windows\.net|microsoft\.com)|Directory permission is needed for the current user to register the application|Insufficient privileges to complete the operation|\bAuthorization_RequestDenied\b|Could not create a service principal with the right permissions",
            says="Entra ID refused to create or read an application",
            sample="Directory permission is needed for the current user to register the application. Original error: Insufficient privileges to complete the operation.",
            near_miss="The current user may register applications",
            unless=r"(?i)custom-?locations|oid of|Object ID of the",
        ),
    ),
    why="Creating a service principal, or looking an identity up by its name, is a call to Microsoft Graph, for which Azure roles count nothing: the directory must let users register applications, or the caller must have a directory role. A service principal has neither by itself.",
    remedy=(
        Step(
            "Use a managed identity for the cluster, which needs no application: az aks create with --enable-managed-identity."
        ),
        Step(
            "Give object ids instead of names where only a look-up fails: --assignee-object-id with --assignee-principal-type."
        ),
        Step(
            "Otherwise have an administrator of the directory create the application, or give the caller Application Developer (a service principal: Application.Read.All or Directory.Read.All with admin consent)."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/entra/identity-platform/howto-create-service-principal-portal",
        "https://learn.microsoft.com/azure/aks/use-managed-identity",
    ),
    leads_to=("aks.operation_failed",),
    ask="az ad signed-in-user show",
)
