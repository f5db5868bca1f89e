from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure takes these changes only one at a time: the request changes properties that need separate requests",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)can'?t be processed in one single request|please send sep[ea]rate requests?|(?:and|or) other properties at the same time|(?:cannot|can't|not (?:allowed|supported|possible) to) (?:be )?(?:updated?|changed?|modif\w+) .{0,80}?(?:at the same time|in the same (?:request|operation|call)|simultaneously|in one (?:request|operation))|(?:more than one|multiple) (?:location|region|propert\w+|replication)s? .{0,60}?(?:at a time|in (?:one|a single|the same) (?:request|operation|update))",
            says="two changes stand in one request",
            sample="BadRequest: The following updates can't be processed in one single request, please send seperate request to update them: 'properties.publicNetworkAccess,identity'.",
            near_miss="The update was processed in one request.",
        ),
    ),
    why="Some services refuse a PUT that changes several things together: Redis (network access with identity), Cosmos DB (backup mode or regions with anything else), storage (replication with other settings). ASO always sends the whole spec, so a difference between the spec and what is in Azure, even in a default that was never set, counts as a second change.",
    remedy=(
        Step(
            "Read the condition of the object: the message names the property.",
            run=("kubectl", "get", "azure", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Set all but one of the properties to the value that Azure has (az resource show), apply, wait for Ready, and change the next one.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/reconciliation-failures/",
    ),
    leads_to=(
        "aks.parameter_invalid",
        "aso.invalid_value",
        "aso.request_refused",
        "aso.not_ready",
        "aks.property_immutable",
    ),
    ask="kubectl get azure -n {namespace} -o yaml",
)
