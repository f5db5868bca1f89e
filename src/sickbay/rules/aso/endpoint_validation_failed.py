from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Event Grid could not validate the webhook endpoint of an event subscription",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i:The attempt to validate the provided endpoint) (?P<endpoint>https?://[^\s?]{3,200})|aka\.ms/esvalidation|(?i:Webhook validation handshake failed)",
            says="the endpoint {endpoint} did not answer the validation",
            sample="Url validation: The attempt to validate the provided endpoint https://shop.azurewebsites.net/api/events failed. For more details, visit https://aka.ms/esvalidation.",
            near_miss="The endpoint https://shop.azurewebsites.net/api/events was validated.",
        ),
    ),
    why="Before it delivers events Event Grid sends a validation event to the webhook, which must return the validation code with status 200 (or the owner opens validationUrl). The endpoint does not exist yet, is not reachable from Azure (private address, firewall, gateway with a WAF), wants another sign-in, or its code does not answer the handshake.",
    remedy=(
        Step(
            "Send it a request from outside.",
            run=("curl", "-sv", "-X", "OPTIONS", "{endpoint}"),
            risk=Risk.READ,
        ),
        Step(
            "Deploy what listens there first, let it answer Microsoft.EventGrid.SubscriptionValidationEvent, or deliver to a queue, an event hub or an Azure function by resource id instead of a URL.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/event-grid/troubleshoot-subscription-validation",),
    leads_to=(
        "aks.parameter_invalid",
        "aso.invalid_value",
        "aso.request_refused",
        "aso.not_ready",
        "aso.referenced_resource_missing",
    ),
    ask="kubectl get azure -n {namespace} -o yaml",
)
