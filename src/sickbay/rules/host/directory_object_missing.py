from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An object with this id does not exist in Entra: application, service principal, user or group (Graph)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)\bRequest_ResourceNotFound\b|does not exist or one of its queried reference-property objects are not present",
            says="Microsoft Graph does not know the object",
            sample="Request_ResourceNotFound: Resource '11111111-2222-3333-4444-555555555555' does not exist or one of its queried reference-property objects are not present.",
            near_miss="Resource '11111111-2222-3333-4444-555555555555' exists",
        ),
        Signature(
            pattern=r"(?i)The provided information does not map to an AD object id",
            says="the name that was given is that of no object that the caller may see",
            sample="New-AzRoleAssignment: The provided information does not map to an AD object id.",
            near_miss="The provided information does not map to a role definition id.",
            weight=TYPICAL,
        ),
    ),
    why="Microsoft Graph answers Request_ResourceNotFound when no directory object has the id that was asked for. Often the id is of the wrong kind (the application's client id where the object id of its service principal is wanted, or the reverse), of another tenant, or of an object that was deleted or made a moment ago.",
    remedy=(
        Step(
            "See whether the id is that of a service principal, and what its object id is.",
            run=(
                "az",
                "ad",
                "sp",
                "show",
                "--id",
                "<id>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See in which tenant the CLI is signed in.",
            run=(
                "az",
                "account",
                "show",
                "--query",
                "tenantId",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Repeat the command with the right id; after a creation wait a minute, for the directory needs time to follow.",
        ),
    ),
    docs=("https://learn.microsoft.com/graph/errors",),
    ask="az ad sp show --id <id>",
)
