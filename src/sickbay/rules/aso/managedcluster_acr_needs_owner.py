from sickbay.model.aso import AsoObject
from sickbay.model.aso_credential import credential_of
from sickbay.model.aso_refusal import refused
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def may_not_assign_roles(thing: AsoObject, snapshot: Snapshot) -> Match | None:
    message = (thing.trouble and thing.trouble.message) or ""
    if "Microsoft.Authorization/roleAssignments/write" not in message:
        return None
    return Match(
        f"for {thing.object_kind} {thing.name} ASO uses {credential_of(thing, snapshot).says}, which may not write role assignments on {refused(message)['scope'] or 'the scope'}",
        facts={key: fact or f"<{key.replace('_', '-')}>" for key, fact in refused(message).items()},
        cites=(thing.cite("status.conditions[type=Ready].message", message),),
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
