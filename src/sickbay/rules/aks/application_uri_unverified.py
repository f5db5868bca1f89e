from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="Entra ID refuses the application: its identifier URI is not under a verified domain of the tenant",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bHostNameNotOnVerifiedDomain\b|values? of identifierUris property must use a verified domain[\w ]{0,60}(?:: '(?P<uri>[^']{1,200})')?",
            says="the identifier URI of an application is refused[: {uri}]",
            sample="Values of identifierUris property must use a verified domain of the organization or its subdomain: 'http://shop-aks'",
            near_miss="Values of identifierUris property use a verified domain of the organization",
        ),
    ),
    why="Since October 2021 the directory takes an identifier URI only under a domain that the organisation has verified, or in the form api://<application id>. Older clients still give a new application (the service principal of a cluster) a URI that they made out of its name.",
    remedy=(
        Step(
            "Use a managed identity for the cluster, which needs no application: az aks create with --enable-managed-identity."
        ),
        Step(
            "Where an application is needed, bring the client (az, Crossplane, Terraform, azure_rm modules) up to date, or set the URI to api://<application id> or one under a verified domain."
        ),
    ),
    docs=("https://learn.microsoft.com/entra/identity-platform/reference-breaking-changes",),
    leads_to=("aks.operation_failed", "aks.request_refused"),
    ask="az ad app list --display-name <name> --query [].identifierUris",
)
