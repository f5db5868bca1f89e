from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The API version or resource type of the request is not offered in this region or cloud",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:UnsupportedApiVersion|MissingApiVersionParameter)\b|No registered resource provider found for location '?(?P<location>[\w -]+?)'? and API version '?(?P<api_version>[\w.-]+)'? for type '?(?P<type>[\w./]+)'?\. The supported |\bInvalidApiVersionParameter\b|\bNoRegisteredProviderFound\b.{0,400}?The supported (?:a|l)|The api-version '(?P<asked>[\w.-]+)' is invalid|The resource type '(?P<kind>[\w./]+)' could not be found in the namespace '[\w.]+' for api version|\bInvalidResourceType\b.{0,200}?api version",
            says="this API version or type is not served here",
            sample="NoRegisteredProviderFound: No registered resource provider found for location 'westeurope' and API version '2019-02-01' for type 'managedClusters'. The supported api-versions are '2020-01-01, 2020-03-01'.",
            near_miss="No registered resource provider found for location 'westeurope' and API version '2020-01-01' for type 'managedClusters'.",
        ),
    ),
    why="Each resource type is served in a list of API versions and regions; preview versions live only for some months, and sovereign clouds lag behind. The client is older or newer than what the region serves, or the type does not exist there.",
    remedy=(
        Step(
            "See what is served.",
            run=(
                "az",
                "provider",
                "show",
                "-n",
                "Microsoft.ContainerService",
                "--query",
                "resourceTypes[?resourceType=='managedClusters'].apiVersions",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Upgrade the client (az upgrade, az extension update -n aks-preview, the provider of Terraform or Pulumi), or set one of the served versions in the template; or take a region from the list."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-register-resource-provider",
        "https://learn.microsoft.com/azure/azure-resource-manager/management/resource-providers-and-types",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.request_refused",
    ),
    ask="az provider show -n Microsoft.ContainerService -o json",
)
