from sickbay.model.aso import AsoObject
from sickbay.model.aso_credential import credential_of
from sickbay.model.aso_refusal import refused
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def azure_refuses_the_linked_scope(thing: AsoObject, snapshot: Snapshot) -> Match | None:
    trouble = thing.trouble
    if trouble is None or trouble.reason != "LinkedAuthorizationFailed":
        return None
    facts = refused(thing.message)
    credential = credential_of(thing, snapshot)
    lack = f" {facts['action']} on {facts['scope']}" if facts["scope"] else " the linked resource"
    return Match(
        f"for {thing.object_kind} {thing.name} ASO uses {credential.says}, which may not use{lack}",
        facts={
            key: facts[key] or f"<{key.replace('_', '-')}>"
            for key in ("object_id", "action", "scope", "role")
        },
        cites=(thing.cite("status.conditions[type=Ready].message", trouble.message),),
        at=trouble.last_transition_time or "",
    )


RULE = Rule(
    title="The identity of ASO may write the resource, but not use one that it is linked to (LinkedAuthorizationFailed)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CREATION),
    detect=(
        azure_refuses_the_linked_scope,
        Signature(
            pattern=r"(?:Reason: LinkedAuthorizationFailed,? Severity|\bFalse (?:Warning|Error) LinkedAuthorizationFailed\b|ActionError: .{0,120}?LinkedAuthorizationFailed\b)(?:.{0,300}?object id '(?P<object_id>[^']{1,80})')?(?:.{0,900}?action\(s\) '(?P<action>[^']{1,200})')?(?:.{0,60}?linked scope\(s\) '(?P<scope>[^'\s]{1,500}))?(?P<role>)",
            says="the identity {object_id} may not perform {action} on the linked {scope}",
            sample="E1115 23:16:44.754335 9357 generic_reconciler.go:387] \"Encountered error impacting Ready condition\" err=\"Reason: LinkedAuthorizationFailed, Severity: Warning, RetryClassification: RetrySlow, Cause: The client '5d7f0f1b-1111-2222-3333-444444444444' with object id '5d7f0f1b-1111-2222-3333-444444444444' has permission to perform action 'Microsoft.ContainerService/managedClusters/write' on scope '/subscriptions/s/resourceGroups/rg1/providers/Microsoft.ContainerService/managedClusters/aks1'; however, it does not have permission to perform action(s) 'Microsoft.Network/virtualNetworks/subnets/join/action' on the linked scope(s) '/subscriptions/s/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/n' (respectively) or the linked scope(s) are invalid.\" logger=\"containerservice_managedcluster\" name=\"aks1\" namespace=\"default\"",
            near_miss="Reason: AuthorizationFailed, Severity: Warning, RetryClassification: RetrySlow, Cause: The client 'a' with object id 'b' does not have authorization to perform action 'Microsoft.Cache/redis/write' over scope '/subscriptions/a'",
        ),
    ),
    why="A resource that uses another one, such as a cluster in a subnet or with an identity, needs a right on that other one, too: join for a subnet, assign for an identity. LinkedAuthorizationFailed means that the identity which ASO uses lacks only this second right, often in another resource group or subscription.",
    remedy=(
        Step(
            "See what the identity may do on the linked resource.",
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
            "Grant a role with {action} there (Network Contributor for a subnet, Managed Identity Operator for an identity); it takes some minutes to work.",
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
            verify="kubectl get azure -n {namespace} wants READY True within 3 minutes after the role works",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/linkedauthorizationfailed-error",
        "https://azure.github.io/azure-service-operator/guide/authentication/",
    ),
    leads_to=("aks.network_role_missing", "aks.authorization_failed", "aso.not_ready"),
    ask="az role assignment list --assignee {object_id} --all -o table",
)
