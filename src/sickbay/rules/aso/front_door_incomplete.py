from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Front Door route or policy was sent before what it points to was complete (BadRequest)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"originGroup is created successfully and at least one enabled origin|Endpoint '(?P<endpoint>[^']{1,100})' is not associated with the AFDX profile or is in a invalid provisioning state",
            says="the origin group or the endpoint is not complete",
            sample="BadRequest: Endpoint 'endpoint1' is not associated with the AFDX profile or is in a invalid provisioning state.",
            near_miss="Endpoint 'endpoint1' is associated with the AFDX profile.",
        ),
    ),
    why="A route needs an origin group with at least one enabled origin, and a security policy needs an endpoint of the same profile that is fully provisioned. Azure answers a bad request until then, and ASO tries again.",
    remedy=(
        Step(
            "See the origin groups of the profile.",
            run=(
                "az",
                "afd",
                "origin-group",
                "list",
                "-g",
                "{resource_group}",
                "--profile-name",
                "{name}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create and enable at least one origin, and let the endpoint reach Succeeded, before the route or the policy.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/frontdoor/origin",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=("aso.not_ready",),
    ask="az afd origin-group list -g {resource_group} --profile-name {name} -o table",
)
