from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A policy of the tenant (application management policy) forbids this kind or lifetime of credential",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CREATION),
    detect=(
        Signature(
            pattern=r"(?i)Credential lifetime exceeds the max value allowed as per assigned policy|Credential type not allowed as per assigned policy|\bCredentialInvalidLifetimeAsPerAppPolicy\b|\bCredentialTypeNotAllowedAsPerAppPolicy\b",
            says="the tenant does not allow this credential",
            sample="ERROR: Credential lifetime exceeds the max value allowed as per assigned policy",
            near_miss="The lifetime of the credential is allowed as per assigned policy",
        ),
    ),
    why="Administrators of Entra ID may limit how long secrets and certificates of applications live, or forbid secrets altogether. `az ad sp create-for-rbac`, `az aks create` with a service principal, `--reset` and Terraform ask for a year or more by default and are refused, whatever rights the caller has.",
    remedy=(
        Step("Use a managed identity or a federated credential, which need no secret."),
        Step(
            "Or ask for a shorter life.",
            run=(
                "az",
                "ad",
                "app",
                "credential",
                "reset",
                "--id",
                "<app-id>",
                "--end-date",
                "<date>",
            ),
            risk=Risk.SAFE,
        ),
        Step("Or have an administrator exempt the application from the policy."),
    ),
    docs=(
        "https://learn.microsoft.com/entra/identity/enterprise-apps/configure-app-management-policies",
    ),
    leads_to=("aks.operation_failed",),
    ask="az rest --method get --url https://graph.microsoft.com/v1.0/policies/defaultAppManagementPolicy",
)
