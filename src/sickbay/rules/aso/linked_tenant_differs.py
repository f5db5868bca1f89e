from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The request links a resource in a subscription of another tenant, which the identity's tenant may not access",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i:current tenant '?(?P<tenant>[\w-]+)'? is not authorized to access linked subscription)(?: '?(?P<other>[\w-]+))?|\bLinkedInvalidPropertyId\w*Tenant\w*|(?i:is not authorized to access linked subscription)",
            says="tenant {tenant} may not access the linked subscription {other}",
            sample="LinkedAuthorizationFailed: The client has permission to perform action 'Microsoft.Network/virtualNetworks/virtualNetworkPeerings/write' on scope 'x'; however the current tenant 'aaaa' is not authorized to access linked subscription 'bbbb'.",
            near_miss="The client has permission to perform action 'Microsoft.Network/virtualNetworks/virtualNetworkPeerings/write' on the linked subscription",
        ),
    ),
    why="The linked resource (the remote virtual network of a peering, a disk, an image, a zone) is in a subscription that trusts another Entra tenant. A token of one tenant does not reach it: the client must send an auxiliary token of the other tenant, and ASO or the CLI does so only when it is told the tenant.",
    remedy=(
        Step(
            "See which tenant each subscription belongs to.",
            run=("az", "account", "list", "--query", "[].{id:id,tenant:tenantId}", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "For ASO add the tenant to AZURE_ADDITIONAL_TENANTS of the credential and use a multi-tenant application with a role in both; or create the link from the side of the other tenant; or correct the id if it should not be in another tenant.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/management/authenticate-multi-tenant",
        "https://learn.microsoft.com/azure/virtual-network/create-peering-different-subscriptions",
    ),
    leads_to=(
        "aks.authorization_failed",
        "aso.linked_scope_refused",
        "aso.wrong_identity_or_permission",
        "aso.request_refused",
        "aso.not_ready",
    ),
    ask="az account list --query [].{{id:id,tenant:tenantId}} -o table",
)
