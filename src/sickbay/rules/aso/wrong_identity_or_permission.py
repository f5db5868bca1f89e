from sickbay.model.aso import AsoObject
from sickbay.model.aso_codes import DENIED, told
from sickbay.model.aso_credential import credential_of
from sickbay.model.aso_refusal import refused
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each

_CODES = frozenset(
    {
        "AuthorizationFailed",
        "Forbidden",
        "InvalidAuthenticationToken",
        "InvalidAuthenticationTokenTenant",
    }
)


@each(AsoObject)
def azure_refuses_the_identity(thing: AsoObject, snapshot: Snapshot) -> Match | None:
    trouble = thing.trouble
    if trouble is None or trouble.reason not in _CODES:
        return None
    facts = refused(thing.message)
    credential = credential_of(thing, snapshot)
    lack = f": {facts['action']} on {facts['scope']}" if facts["action"] else ""
    return Match(
        f"for {thing.object_kind} {thing.name} ASO uses {credential.says}, and Azure refuses that identity{lack}",
        facts={
            **{
                key: facts[key] or f"<{key.replace('_', '-')}>"
                for key in ("object_id", "action", "scope", "role")
            },
            "credential": credential.says,
        },
        cites=(thing.cite("status.conditions[type=Ready].message", trouble.message),),
        at=trouble.last_transition_time or "",
    )


RULE = Rule(
    title="ASO uses the wrong identity, or its identity lacks the permission for the action (AuthorizationFailed)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CREATION),
    detect=(
        azure_refuses_the_identity,
        Signature(
            pattern=r"(?:Reason: (?:AuthorizationFailed|InvalidAuthenticationToken(?:Tenant)?),? Severity|\bFalse (?:Warning|Error) (?:AuthorizationFailed|InvalidAuthenticationToken(?:Tenant)?)\b)(?:.{0,200}?object id '(?P<object_id>[^']{1,80})')?(?:.{0,200}?action '(?P<action>[^']{1,200})')?(?:.{0,100}?scope(?:\(s\))? '(?P<scope>[^'\s]{1,500}))?(?P<role>)(?P<credential>)",
            says="the identity {object_id} that ASO uses may not perform {action} on {scope}",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: AuthorizationFailed, Severity: Warning, RetryClassification: RetrySlow, Cause: The client \'11111111-2222-3333-4444-555555555555\' with object id \'11111111-2222-3333-4444-555555555555\' does not have authorization to perform action \'Microsoft.Resources/subscriptions/resourcegroups/write\' over scope \'/subscriptions/11111111-2222-3333-4444-555555555555/resourcegroups/rg1\' or the scope is invalid. If access was recently granted, please refresh your credentials." logger="resources_resourcegroup" name="rg1" namespace="default"',
            near_miss="Reason: AuthorizationSucceeded, Severity: Info",
            unless=r"Microsoft\.Authorization/roleAssignments/write",
        ),
        Signature(
            pattern=r"ActionError: .{0,900}?object id '(?P<object_id>[^']{1,80})' does not have authorization to perform action '(?P<action>[^']{1,200})' over scope '(?P<scope>[^'\s]{1,500})(?P<role>)(?P<credential>)",
            says="the identity {object_id} that ASO uses may not perform {action} on {scope}",
            sample="CreateOrUpdateActionError: The client 'app' with object id '3a1b' does not have authorization to perform action 'Microsoft.Cache/redis/write' over scope '/subscriptions/s/resourceGroups/rg1/providers/Microsoft.Cache/redis/r1' or the scope is invalid.",
            near_miss='BeginCreateOrUpdate: Successfully sent resource to Azure with ID "/subscriptions/s"',
            unless=r"Microsoft\.Authorization/roleAssignments/write",
        ),
        Signature(
            pattern=r"(?:"
            + told(DENIED)
            + r")(?P<object_id>)(?P<action>)(?P<scope>)(?P<role>)(?P<credential>)",
            says="Azure refuses the identity that ASO uses ({code})",
            sample="thing1 False Warning VaultAccessDenied The caller may not do that.",
            near_miss="thing1 False Info Reconciling The caller may not do that.",
            unless=r"LinkedAuthorizationFailed|Microsoft\.Authorization/roleAssignments/write|\bAADSTS\d|MountVolume|\.(?:vault|vaultcore)\.azure\.net/",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="ASO signs in with the credential of the object (annotation credential-from), of its namespace (secret aso-credential) or of the operator (aso-controller-settings), in that order. Azure refused the action for that identity: either it is not the one that was meant, or no role on the scope allows the action.",
    remedy=(
        Step(
            "See which identity it is: compare this object id with the one that was meant for ASO. The event CredentialFrom on the object names the secret that is used.",
            run=("az", "ad", "sp", "show", "--id", "{object_id}", "-o", "json"),
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
            "If it is the right identity, grant a role that holds the action[ ({action})] on the scope.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee-object-id",
                "{object_id}",
                "--role",
                "{role}",
                "--scope",
                "{scope}",
            ),
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True; a new role takes up to ten minutes, and ASO tries every 3 minutes",
        ),
        Step("If it is the wrong identity, correct the credential[ {credential}]."),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/",
        "https://azure.github.io/azure-service-operator/guide/authentication/credential-scope/",
    ),
    leads_to=("aks.authorization_failed", "aso.not_ready"),
    ask="az role assignment list --assignee {object_id} --all -o table",
)
