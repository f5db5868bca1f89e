from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The managed identity of a resource does not exist or has not propagated (FailedIdentityOperation)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?:\bFailedIdentityOperation\b|Failed to perform resource identity operation)(?:.{0,600}?(?P<identity>/subscriptions/[\w.()/-]{1,300}/userAssignedIdentities/[\w.-]+))?",
            says="the identity[ {identity}] could not be attached",
            sample="FailedIdentityOperation: Identity operation for resource '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg1/providers/Microsoft.Storage/storageAccounts/sa1' failed with error 'Failed to perform resource identity operation. Status: 'BadRequest'. Response: '{\"error\":{\"code\":\"BadRequest\",\"message\":\"Resource '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg1/providers/Microsoft.ManagedIdentity/userAssignedIdentities/mi1' was not found.\"}}'.'.",
            near_miss="Identity operation for resource sa1 succeeded",
        ),
    ),
    why="Azure attaches user-assigned identities before it creates a resource. The identity that the request names was not found: it is still being created, was deleted, or its id is wrong.",
    remedy=(
        Step(
            "See whether the identity exists.",
            run=(
                "az",
                "identity",
                "show",
                "--ids",
                "{identity}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the identity first, or correct its id in the spec; if it is new, the next attempt succeeds.",
            risk=Risk.SAFE,
            verify="az identity show --ids {identity} finds it; the resource becomes Ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/managed-identities-faq",
    ),
    leads_to=("aso.not_ready",),
    ask="az identity show --ids {identity}",
)
