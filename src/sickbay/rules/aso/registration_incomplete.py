from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The resource provider is not registered for this location, or its registration is broken",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\b(?P<code>MissingRegistrationForLocation|InvalidSubscriptionRegistrationState)\b|The subscription registration is in '(?:Unregistered|Unregistering|Registering|NotRegistered)' state",
            says="Azure answers {code}",
            sample="MissingRegistrationForLocation: The subscription is not registered for the resource type 'redis' in the location 'qatarcentral'. Please re-register for this provider in order to have access to this location.",
            near_miss="The subscription is registered for the resource type 'redis' in the location 'westeurope'.",
        ),
    ),
    why="A type can be used only in locations for which its resource provider is registered in the subscription (MissingRegistrationForLocation); a registration that hangs or was undone is InvalidSubscriptionRegistrationState.",
    remedy=(
        Step(
            "See the state of the providers.",
            run=(
                "az",
                "provider",
                "list",
                "--query",
                "[?registrationState!='Registered'].namespace",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Register the provider again (az provider register --namespace …), or choose a location that the type offers."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-register-resource-provider",
    ),
    leads_to=(
        "aks.provider_unregistered",
        "aso.not_ready",
    ),
    ask="az provider list --query [?registrationState!='Registered'].namespace -o tsv",
)
