from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Terraform may not read its state: the storage account refuses it (firewall, data role or key)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.STORAGE),
    detect=(
        Signature(
            pattern=r"(?i)(?:Failed to get existing workspaces|Error (?:refreshing|loading|inspecting) states?|Error retrieving keys for Storage Account|retrieving (?:existing )?Blob State|Failed to (?:save|persist|load) state|configuring the (?:\W?azurerm\W? )?backend).{0,500}?\b403\b.{0,200}?(?P<code>AuthorizationFailure|AuthorizationPermissionMismatch|AuthenticationFailed|KeyBasedAuthenticationNotPermitted|AuthorizationFailed|PublicAccessNotPermitted)\b|(?i:Failed to get existing workspaces|Error (?:refreshing|loading|inspecting) states?).{0,300}?\b(?P<alone>KeyBasedAuthenticationNotPermitted|AuthorizationFailure)\b",
            says="the account refuses[: {code}][: {alone}]",
            sample='Error: Failed to get existing workspaces: containers.Client#ListBlobs: Failure responding to request: StatusCode=403 -- Original Error: Service returned an error. Status=403 Code="AuthorizationFailure" Message="This request is not authorized to perform this operation."',
            near_miss="Error: Failed to get existing workspaces: containers.Client#ListBlobs: StatusCode=404 ContainerNotFound",
        ),
    ),
    why="The state is a blob. `AuthorizationFailure` means that the firewall of the account does not know the address of this machine; `AuthorizationPermissionMismatch` that the identity lacks a data role on the container; `AuthenticationFailed` that the key or SAS is wrong or the clock is off; `KeyBasedAuthenticationNotPermitted` that keys are switched off.",
    remedy=(
        Step(
            "See the firewall of the account and whether keys may be used.",
            run=(
                "az",
                "storage",
                "account",
                "show",
                "--name",
                "<account>",
                "--query",
                "{rules:networkRuleSet,public:publicNetworkAccess,keys:allowSharedKeyAccess}",
            ),
            risk=Risk.READ,
        ),
        Step("Run Terraform from a network that the account allows, or let its address in."),
        Step(
            "Give the identity Storage Blob Data Contributor on the container, and set use_azuread_auth in the backend; or read the key anew."
        ),
    ),
    leads_to=(
        "kubernetes.storage_firewall_denies",
        "kubernetes.azure_data_denied",
        "kubernetes.share_access_denied",
        "aks.authorization_failed",
        "aks.sign_in_expired",
        "kubernetes.storage_key_disallowed",
    ),
    docs=("https://developer.hashicorp.com/terraform/language/backend/azurerm",),
    ask="terraform init",
)
