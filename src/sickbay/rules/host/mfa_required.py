from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure takes this change only from a user who signed in with multi-factor authentication (MFA)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            # The claims are those that Resource Manager sends for its own demand (acrs p1).
            pattern=r"(?i)Users must (?:use MFA for|authenticate with multi-factor authentication|use multi-?factor authentication)|--claims-challenge\W{1,4}eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6eyJlc3NlbnRpYWwiOnRydWUsInZhbHVlcyI6WyJwMSJ",
            says="the request needs a sign-in with a second factor",
            sample="RequestDisallowedByPolicy: Resource 'prod' was disallowed by policy. Reasons: 'Users must authenticate with multi-factor authentication to create or update resources'",
            near_miss="Users may authenticate with multi-factor authentication if they like.",
        ),
    ),
    why="Azure Resource Manager demands multi-factor authentication of users for create, update and delete, and lets them read without it. The token of this session was issued without a second factor: a user account that serves as a service account, a password sign-in, an old CLI that does not answer the challenge.",
    remedy=(
        Step(
            "Sign in again in a browser, which asks for the second factor.",
            run=("az", "login", "--tenant", "<tenant-id>"),
            risk=Risk.SAFE,
            verify="the same command is accepted",
        ),
        Step(
            "Update the CLI or module if it does not ask: Azure CLI from 2.76 and Azure PowerShell from 14.3 do.",
            run=("az", "upgrade"),
            risk=Risk.SAFE,
        ),
        Step(
            "Let automation sign in as a service principal, managed identity or federated credential: MFA is asked of users only."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/entra/identity/authentication/concept-mandatory-multifactor-authentication",
    ),
    leads_to=("aks.policy_denies", "aks.sign_in_expired"),
    ask="az account show -o json",
)
