from sickbay.model.aso import AsoObject, refused
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def azure_refuses_the_identity(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    trouble = thing.trouble
    if trouble is None or trouble.reason not in {
        "AuthorizationFailed",
        "LinkedAuthorizationFailed",
    }:
        return None
    return Match(
        f"Azure refuses the identity that ASO uses for {thing.object_kind} {thing.name}",
        facts=refused(trouble.message or ""),
        cites=(thing.cite("status.conditions[type=Ready].message", trouble.message),),
        at=trouble.last_transition_time or "",
    )


RULE = Rule(
    title="ASO uses the wrong identity, or its identity lacks the permission for the action (AuthorizationFailed)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        azure_refuses_the_identity,
        Signature(
            pattern=r"(?:Reason: (?:Linked)?AuthorizationFailed, Severity|\bFalse (?:Warning|Error) (?:Linked)?AuthorizationFailed\b)(?:.{0,200}?object id '(?P<object_id>[^']{1,80})')?(?:.{0,200}?action '(?P<action>[^']{1,200})')?(?:.{0,100}?scope(?:\(s\))? '(?P<scope>[^'\s]{1,500}))?",
            says="the identity {object_id} that ASO uses may not perform {action} on {scope}",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: AuthorizationFailed, Severity: Warning, RetryClassification: RetrySlow, Cause: The client \'11111111-2222-3333-4444-555555555555\' with object id \'11111111-2222-3333-4444-555555555555\' does not have authorization to perform action \'Microsoft.Resources/subscriptions/resourcegroups/write\' over scope \'/subscriptions/11111111-2222-3333-4444-555555555555/resourcegroups/rg1\' or the scope is invalid. If access was recently granted, please refresh your credentials." logger="resources_resourcegroup" name="rg1" namespace="default"',
            near_miss="Reason: AuthorizationSucceeded, Severity: Info",
        ),
    ),
    why="ASO signs in with the credential of the object, of its namespace or of the operator, in that order. Azure refused the action for that identity: either it is not the one that was meant, or no role on the scope, or on a linked resource such as a subnet (LinkedAuthorizationFailed), allows the action.",
    remedy=(
        Step(
            "See which identity it is: compare this object id with the one that was meant for ASO.",
            run=(
                "az",
                "ad",
                "sp",
                "show",
                "--id",
                "{object_id}",
                "--query",
                "displayName",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See what it may do on the scope.",
            run=(
                "az",
                "role",
                "assignment",
                "list",
                "--assignee",
                "{object_id}",
                "--scope",
                "{scope}",
                "--include-inherited",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If it is the wrong identity, correct the credential secret (annotation credential-from, aso-credential, aso-controller-settings); if it is the right one, grant a role that holds {action} on the scope.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True; a new role takes up to ten minutes",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=(
        "aks.authorization_failed",
        "aso.not_ready",
    ),
    ask="az role assignment list --assignee {object_id} --all -o table",
)
