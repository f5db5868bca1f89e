from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The tenant takes federated tokens only from its own enterprise or issuers, and this one is not of them",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"\bAADSTS700238\d?\b|(?i:Federated identity credentials issued by \S{1,120} for applications or managed identities registered in this tenant must contain the (?P<claim>\w+) claim)",
            says="the tenant wants[ the claim {claim} in] the token, and it is not as it should be",
            sample="AADSTS7002381: Federated identity credentials issued by 'https://token.actions.githubusercontent.com/' for applications or managed identities registered in this tenant must contain the enterprise claim with value 'contoso' but actual value is ''.",
            near_miss="AADSTS700213: No matching federated identity record found for presented assertion subject 'repo:contoso/shop:ref:refs/heads/main'.",
        ),
    ),
    why="A policy of the tenant (application management policy) restricts which issuers may be trusted, and which claim, such as the enterprise of a GitHub organisation, their tokens must carry. The repository belongs to no such enterprise, or GitHub left the claim out of this token.",
    remedy=(
        Step("Run the workflow from a repository of the enterprise that the message names."),
        Step(
            "Where it works at times only, run the job again, and report the missing claim to GitHub."
        ),
        Step(
            "Or let an administrator of the tenant exempt the application from the policy.",
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/entra/workload-id/workload-identity-federation-block-using-azure-policy",
    ),
    ask="az ad app federated-credential list --id <app-id> -o json",
)
