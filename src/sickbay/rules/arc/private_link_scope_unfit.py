from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Arc private link scope does not exist, or lies in another location than the connected cluster (AZK8S0105)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S0105\b|PrivateLinkScopeLocationMismatch|location of the private link scope resource does not match the location of connected cluster|(?:Private Link Scope and connected cluster locations do not match)|private link scope resource '?(?P<scope>[^']{1,300}?)'? does not exist",
            says="the private link scope does not fit",
            sample="The location of the private link scope resource does not match the location of connected cluster resource. Please ensure that both the resources are in the same azure location.",
            near_miss="Step: Validate location of PrviateLinkScope passed in.",
        ),
    ),
    why="A cluster is connected over private link with --private-link-scope-resource-id. The scope (Microsoft.HybridCompute/privateLinkScopes) has to exist, and to be in the same Azure region as the connected cluster resource; az connectedk8s checks both before it creates anything.",
    remedy=(
        Step(
            "See which scopes there are, and where.",
            run=(
                "az",
                "resource",
                "list",
                "--resource-type",
                "Microsoft.HybridCompute/privateLinkScopes",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Connect with a scope of the same location, or give the location of the scope with --location.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--location",
                "<location-of-the-scope>",
                "--enable-private-link",
                "true",
                "--private-link-scope-resource-id",
                "<scope-id>",
            ),
            risk=Risk.SAFE,
            verify="the connected cluster is created",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/private-link",),
)
