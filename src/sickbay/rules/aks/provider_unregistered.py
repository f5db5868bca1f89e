from sickbay.model.aks import ManagedCluster
from sickbay.model.azure import Provider
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each

REQUIRED = {
    "microsoft.containerservice",
    "microsoft.compute",
    "microsoft.network",
    "microsoft.storage",
    "microsoft.managedidentity",
}


@each(Provider)
def is_not_registered(provider: Provider, snapshot: Snapshot) -> Match | None:
    namespace = provider.namespace or ""
    state = (provider.registration_state or "").casefold()
    if namespace.casefold() not in REQUIRED or state not in {"notregistered", "unregistered"}:
        return None
    clusters = snapshot.some(ManagedCluster)
    own = provider.ref.subscription.casefold()
    mine = [cluster for cluster in clusters if cluster.ref.subscription.casefold() == own]
    if not mine:
        return None
    ailing = [cluster.ref for cluster in mine if cluster.is_unwell]
    return Match(
        f"{namespace} is {provider.registration_state} in the subscription of the cluster",
        facts={"provider": namespace},
        cites=(provider.cite("registrationState", provider.registration_state),),
        subject=min(ailing) if ailing else None,
    )


RULE = Rule(
    title="A resource provider is not registered in the subscription (MissingSubscriptionRegistration)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        is_not_registered,
        Signature(
            pattern=r"(?i)not registered to use namespace '?(?P<provider>[\w.]+)|\bMissingSubscriptionRegistration\b|\bSubscriptionNotRegistered\w*|subscription (?:'?[\w-]+'? )?is not registered (?:to use|with|for) (?:the )?(?:resource provider )?'?(?P<other>[\w.]*)",
            says="the subscription is not registered for a provider",
            sample='Code="MissingSubscriptionRegistration" Message="The subscription is not registered to use namespace \'Microsoft.OperationsManagement\'. See https://aka.ms/rps-not-found for how to register subscriptions."',
            near_miss="The subscription is registered to use namespace 'Microsoft.OperationsManagement'",
        ),
        Signature(
            pattern=r"\bNoRegisteredProviderFound\b|No registered resource provider found for location '?(?P<location>[\w-]+)'? and API version '?(?P<api_version>[\w.-]+)'? for type '?(?P<type>[\w./]+)'?(?P<provider>)",
            says="no registered provider serves the type here",
            sample="NoRegisteredProviderFound: No registered resource provider found for location 'westus9' and API version '2024-05-01' for type 'managedClusters'.",
            near_miss="Registered resource provider found for location 'westeurope' and API version '2024-05-01'",
            unless=r"(?i)The supported (?:a|l)",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)Resource Provider \(?(?P<provider>Microsoft\.\w+)\)? (?:is|has) not (?:yet )?(?:been )?registered\b|'(?P<named>Microsoft\.\w+)' provider has not been registered",
            says="{provider}{named} is not registered",
            sample="Failed to install the Device Management Extension probably because the Resource Provider (Microsoft.AzureStackHCI) is not yet registered in the subscription.",
            near_miss="the Resource Provider (Microsoft.AzureStackHCI) is registered in the subscription",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)Error ensuring Resource Providers are registered|Terraform automatically attempts to register the Resource Providers|Encountered an error whilst ensuring Resource Providers are registered",
            says="Terraform could not register the providers that it wants",
            sample="Error: Error ensuring Resource Providers are registered. Terraform automatically attempts to register the Resource Providers it supports to ensure it's able to provision resources.",
            near_miss="Terraform found the resource providers registered",
            weight=TYPICAL,
            vague=True,
        ),
    ),
    why="ARM hands a request to a provider (Microsoft.ContainerService, Compute, Network, OperationsManagement and others) only when the subscription is registered for it. `SubscriptionNotRegistered` and `MissingSubscriptionRegistration` name the one that is missing; `NoRegisteredProviderFound` also comes when the region or the API version is not served.",
    remedy=(
        Step(
            "See which providers are registered.",
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
            "Register the provider; it takes some minutes.",
            run=("az", "provider", "register", "--namespace", "{provider}", "--wait"),
            risk=Risk.SAFE,
            verify="az provider show -n {provider} --query registrationState wants Registered",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-register-resource-provider",
    ),
    leads_to=("aks.operation_failed",),
    ask="az provider list --query [].[namespace,registrationState] -o json",
)
