from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The policy assignment names a definition that does not exist (yet)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)PolicyDefinitionNotFound|policy (?:set )?definition '?(?P<definition>[^' ]{1,200})'? (?:could not be|was not|not) found|Policy (?:set )?definition not found",
            says="the policy definition was not found",
            sample="Error: creating Policy Assignment: PolicyDefinitionNotFound: The policy definition '/subscriptions/0/providers/Microsoft.Authorization/policyDefinitions/limits' could not be found.",
            near_miss="Policy definition limits was created",
        ),
    ),
    why="An assignment refers to a definition or initiative by id. Terraform made the assignment before the definition (no depends_on), the definition lies in another scope, or its id is misspelled.",
    remedy=(
        Step(
            "See the definitions.",
            run=(
                "az",
                "policy",
                "definition",
                "list",
                "--query",
                "[?policyType=='Custom'].id",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make the assignment depend on the definition (in Terraform use its id attribute or depends_on), and apply again.",
            run=(
                "terraform",
                "apply",
            ),
            verify="az policy assignment list shows the assignment",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/error-in-policy-assign-main-file-terraform",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.resource_not_found",
    ),
    ask="az policy definition list -o json",
)
