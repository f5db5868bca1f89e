from sickbay.model.aso import AsoObject
from sickbay.model.aso_refusal import refused
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def principal_is_unknown(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    trouble = thing.trouble
    if trouble is None or trouble.reason != "PrincipalNotFound":
        return None
    return Match(
        f"the principal of {thing.object_kind} {thing.name} is not in the directory",
        facts={"principal": refused(trouble.message or "")["principal"] or "<principal>"},
        cites=(thing.cite("status.conditions[type=Ready].message", trouble.message),),
    )


RULE = Rule(
    title="A role assignment names a principal that the directory does not have yet (PrincipalNotFound)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        principal_is_unknown,
        Signature(
            pattern=r"(?:Reason: PrincipalNotFound, Severity|\bFalse (?:Warning|Error) PrincipalNotFound\b|(?i:principal ID) \[?[\w-]{8,40}\]? was not found in the AAD tenant|\bPrincipal with (?:id|name) .{1,60}? does not exist in (?:the )?tenant)(?:.{0,80}?Principal (?P<principal>[\w-]{8,40}) does not exist)?",
            says="the principal {principal} is not in the directory",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: PrincipalNotFound, Severity: Warning, RetryClassification: RetrySlow, Cause: Principal 90cc53e84a6e45b68339516448218ee0 does not exist in the directory 00000000-0000-0000-0000-000000000000. Check that you have the correct principal ID." logger="authorization_roleassignment" name="ra1" namespace="default"',
            near_miss="Reason: PrincipalTypeNotSupported, Severity: Error, RetryClassification: RetrySlow",
            passes=True,
        ),
    ),
    why="A new identity takes a while to replicate in Entra ID, and a role assignment without principalType looks it up at once. ASO tries again, so a principal that exists is found some minutes later; a wrong principal id never is.",
    remedy=(
        Step(
            "See whether the principal exists.",
            run=(
                "az",
                "ad",
                "sp",
                "show",
                "--id",
                "{principal}",
                "--query",
                "displayName",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set principalType: ServicePrincipal in the spec of the RoleAssignment, which skips the lookup; take principalId from the identity by principalIdFromConfig.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/role-based-access-control/troubleshooting",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=(
        "aks.service_principal_missing",
        "aso.not_ready",
    ),
    ask="az ad sp show --id {principal}",
)
