from sickbay.model.aso import AsoObject
from sickbay.model.aso_credential import credential_of
from sickbay.model.aso_refusal import refused
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each

_WRITE = "Microsoft.Authorization/roleAssignments/write"
_REFUSALS = ("AuthorizationFailed", "LinkedAuthorizationFailed")


def facts_of(thing: AsoObject, message: str) -> dict[str, str]:
    """Who was refused where; without a message the resource id still holds the scope."""
    facts = refused(message)
    scope = thing.resource_id.partition("/providers/Microsoft.Authorization/")[0]
    facts["scope"] = facts["scope"] or scope
    return {key: fact or f"<{key.replace('_', '-')}>" for key, fact in facts.items()}


@each(AsoObject)
def may_not_assign_roles(thing: AsoObject, snapshot: Snapshot) -> Match | None:
    trouble = thing.trouble
    if trouble is None:
        return None
    message = trouble.message or ""
    is_bare = thing.object_kind == "RoleAssignment" and trouble.reason in _REFUSALS and not message
    if _WRITE not in message and not is_bare:
        return None
    facts = facts_of(thing, message)
    part = "message" if message else "reason"
    return Match(
        f"for {thing.object_kind} {thing.name} ASO uses {credential_of(thing, snapshot).says}, which may not write role assignments on {facts['scope']}",
        facts=facts,
        cites=(thing.cite(f"status.conditions[type=Ready].{part}", message or trouble.reason),),
    )


RULE = Rule(
    title="ASO may not write role assignments: connecting a managed cluster to a registry (ACR) needs Owner",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        may_not_assign_roles,
        Signature(
            pattern=r"(?:Reason: (?:Linked)?AuthorizationFailed,? Severity|\bFalse (?:Warning|Error) (?:Linked)?AuthorizationFailed\b|ActionError: ).{0,200}?object id '(?P<object_id>[^']{1,80})'.{0,100}?action 'Microsoft\.Authorization/roleAssignments/write'(?:.{0,60}?scope '(?P<scope>[^'\s]{1,500}?)(?:/providers/Microsoft\.Authorization/[^'\s]{1,200})?')?",
            says="the identity {object_id} may not write role assignments on {scope}",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: AuthorizationFailed, Severity: Warning, RetryClassification: RetrySlow, Cause: The client \'11111111-2222-3333-4444-555555555555\' with object id \'11111111-2222-3333-4444-555555555555\' does not have authorization to perform action \'Microsoft.Authorization/roleAssignments/write\' over scope \'/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg1/providers/Microsoft.ContainerRegistry/registries/acr1/providers/Microsoft.Authorization/roleAssignments/5d7f0f1b-0000-0000-0000-000000000000\' or the scope is invalid." logger="authorization_roleassignment" name="acrpull" namespace="default"',
            near_miss='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: AuthorizationFailed, Severity: Warning, RetryClassification: RetrySlow, Cause: The client \'a\' with object id \'b\' does not have authorization to perform action \'Microsoft.Cache/redis/write\' over scope \'/subscriptions/a\' or the scope is invalid." logger="cache_redis" name="redis1" namespace="default"',
        ),
    ),
    why="Connecting a ManagedCluster to a ContainerRegistry creates a role assignment (AcrPull) on the registry. Contributor does not hold Microsoft.Authorization/roleAssignments/write; Owner or User Access Administrator on that scope does.",
    remedy=(
        Step(
            "See which roles the identity has there.",
            run=(
                "az",
                "role",
                "assignment",
                "list",
                "--assignee",
                "{object_id}",
                "--all",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the identity assign roles on the registry only.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee-object-id",
                "{object_id}",
                "--assignee-principal-type",
                "ServicePrincipal",
                "--role",
                "Role Based Access Control Administrator",
                "--scope",
                "{scope}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
        Step(
            "Or have an owner of the registry make the AcrPull assignment, and take it out of ASO."
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/",
        "https://learn.microsoft.com/azure/aks/cluster-container-registry-integration",
    ),
    leads_to=("aks.role_assignment_refused", "aso.wrong_identity_or_permission"),
    ask="az role assignment list --assignee {object_id} --all -o table",
)
