from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The managed identities that the request names are refused: an id is malformed or carries values",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"\bInvalidIdentityValues\b|(?i:invalid value for the identities '(?P<identity>[^']{1,300})')|(?i:'?UserAssignedIdentities'? property keys should only be empty json objects)",
            says="the identities of the request are malformed[: {identity}]",
            sample="InvalidIdentityValues: Invalid value for the identities '/subscriptions/s1/resourceGroups/rg-shop/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-shop'. The 'UserAssignedIdentities' property keys should only be empty json objects, null or the resource exisiting property.",
            near_miss="The identities of the request are valid: UserAssignedIdentities",
        ),
    ),
    why="A request gives user-assigned identities as a map: each key is the full resource id of one, each value an empty object. A client that sends back what it has read (clientId and principalId as values), or an id in another spelling, is refused before anything is changed.",
    remedy=(
        Step(
            "See which identities the cluster has.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "identity",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Name every identity by its full resource id, spelled as Azure spells it, with an empty object as its value; with Terraform or an SDK, take a version that does so."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-managed-identity",),
    leads_to=("aks.operation_failed", "aks.request_refused"),
    ask="az aks show -g {resource_group} -n {cluster} --query identity -o json",
)
