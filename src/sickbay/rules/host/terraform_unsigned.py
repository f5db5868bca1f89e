from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Terraform has no sign-in to Azure that it could use for this subscription",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CREATION),
    detect=(
        Signature(
            pattern=r"(?i)no Authorizer could be configured|Azure CLI Authorization Profile was not found|No Authorization Tokens were found - please ensure the Azure CLI is installed|the provided subscription ID \S{1,60} is not known by Azure CLI|subscription ID could not be determined and was not specified|(?:AzureRM Client|ARM Config|building account): .{0,80}?(?:a Client ID must be configured|Subscription ID (?:must be|was not) |one of .?client_secret)|Authenticating using the Azure CLI is only supported as a User|could not configure (?:OIDC|GitHubOIDC|ADOPipelines\w*|MSI|ClientCertificate|ClientSecret) Authorizer: ",
            says="the provider azurerm finds no credential that it may use",
            sample="Error: unable to build authorizer for Resource Manager API: no Authorizer could be configured, please check your configuration",
            near_miss="Authorizer configured: using the Azure CLI",
        ),
    ),
    why="The providers azurerm, azapi and azuread sign in by one of several ways: the Azure CLI, a service principal, a managed identity or a federated token. None is set here, the one that is set lacks a value, or the CLI is signed in to an account that does not see the subscription. Old releases cannot read the token file of Azure CLI 2.30 and later.",
    remedy=(
        Step(
            "See who the CLI is signed in as, and whether it knows the subscription.",
            run=("az", "account", "list", "--all", "--output", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Sign in to the tenant of the subscription.",
            run=("az", "login", "--tenant", "<tenant-id>"),
            risk=Risk.SAFE,
            verify="az account show wants the subscription of the provider",
        ),
        Step(
            "In a pipeline set ARM_CLIENT_ID, ARM_TENANT_ID, ARM_SUBSCRIPTION_ID and the secret, or use_oidc or use_msi; take a release of azurerm from 2.84 or 3 onwards with a new CLI."
        ),
    ),
    docs=(
        "https://registry.terraform.io/providers/hashicorp/azurerm/latest/docs#authenticating-to-azure",
        "https://learn.microsoft.com/azure/developer/terraform/authenticate-to-azure",
    ),
    ask="az account show -o json",
)
