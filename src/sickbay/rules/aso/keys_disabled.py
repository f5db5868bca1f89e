from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The account gives out no keys: local (shared key) authentication is disabled, so ASO cannot export its secrets",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Local Authorization is disabled|local auth(?:entication)? (?:is|has been) (?:disabled|turned off)|(?:access|shared|account) keys? (?:access )?(?:is|are) disabled|\bLocalAuth(?:entication)?Disabled\b|listKeys? .{0,60}?(?:not (?:allowed|permitted|supported)|disabled)|(?:admin user|admin account) is (?:disabled|not enabled)|Access keys? authentication (?:is )?disabled",
            says="keys are disabled",
            sample="BadRequest: Local Authorization is disabled. Use an AAD token to authorize all requests.",
            near_miss="Local authorization is enabled.",
            unless=r"(?i)aka\.ms/acr|disable local accounts|local accounts|static credential|policy",
        ),
    ),
    why="operatorSpec.secrets asks ASO to write keys or connection strings into a Kubernetes secret, for which it calls listKeys. With disableLocalAuth (Cosmos DB, Service Bus, Event Hubs, App Configuration, Cognitive Services, Redis), allowSharedKeyAccess false (storage) or a registry without admin user there is no key to list.",
    remedy=(
        Step(
            "Read the condition of the object: the message names the property.",
            run=("kubectl", "get", "azure", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Remove the keys from operatorSpec.secrets and let the workload sign in with its identity (workload identity and a data role), or allow local authentication again.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/secrets/",
        "https://learn.microsoft.com/azure/cosmos-db/how-to-setup-rbac",
    ),
    leads_to=(
        "aks.parameter_invalid",
        "aso.invalid_value",
        "aso.request_refused",
        "aso.not_ready",
        "aso.wrong_identity_or_permission",
    ),
    ask="kubectl get azure -n {namespace} -o yaml",
)
