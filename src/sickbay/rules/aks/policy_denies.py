from sickbay.model.ailing import is_ailing
from sickbay.model.aks import ManagedCluster
from sickbay.model.azure_policy import PolicyAssignment, PolicyState, is_exempt, owner_of
from sickbay.model.ids import Ref, arm
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)

CLUSTER = ManagedCluster.kind.casefold()


@each(PolicyState, TYPICAL)
def does_not_comply(state: PolicyState, snapshot: Snapshot) -> Match | None:
    """Whether a part of a failed cluster is one that a policy refuses to have written again."""
    id, assignment_id = state.resource_id or "", state.policy_assignment_id or ""
    cluster = owner_of(snapshot, id)
    if cluster is None or not is_ailing(cluster, snapshot):
        return None
    # Policies for what runs inside a cluster are booked on the cluster, and deny pods instead.
    category = (state.policy_definition_category or "").casefold()
    if arm(id).kind.casefold() == CLUSTER and category in ("", "kubernetes"):
        return None
    found = snapshot.find(arm(assignment_id))
    if isinstance(found, PolicyAssignment) and not found.is_enforced:
        return None
    if is_exempt(snapshot, assignment_id, id):
        return None
    name = found.title if isinstance(found, PolicyAssignment) else arm(assignment_id).name
    return Match(
        f"{arm(id).name} does not comply with {name}, which denies every write to it",
        facts=facts_of(cluster, assignment_id),
        cites=(state.cite("policyDefinitionAction", "deny"),),
        subject=subject_of(cluster, id),
    )


@each(PolicyAssignment, TYPICAL)
def forbids_the_shape(assignment: PolicyAssignment, snapshot: Snapshot) -> Match | None:
    """Whether one of the definitions that come with Azure refuses a failed cluster as it is."""
    for cluster in snapshot.some(ManagedCluster) if assignment.is_enforced else ():
        refused = assignment.forbids(cluster)
        if not refused or not is_ailing(cluster, snapshot):
            continue
        parts = [id for id in (cluster.id, cluster.node_group_id) if id and assignment.covers(id)]
        bound = [id for id in parts if not is_exempt(snapshot, assignment.id, id)]
        if bound:
            return Match(
                f"{assignment.title} covers {arm(bound[0]).name} and denies {refused}",
                facts=facts_of(cluster, assignment.id),
                cites=(assignment.cite("properties.parameters", refused),),
                subject=cluster.ref,
            )
    return None


def facts_of(cluster: ManagedCluster, assignment_id: str) -> dict[str, str]:
    nodes = cluster.node_resource_group or ""
    return {"assignment_id": assignment_id, "node_resource_group": nodes}


def subject_of(cluster: ManagedCluster, id: str) -> Ref:
    """The part itself where it is a pool, else the cluster: its nodes have names of their own."""
    return arm(id) if f"{arm(id).key}/".startswith(f"{cluster.ref.key}/") else cluster.ref


RULE = Rule(
    title="An Azure Policy denies a resource that the operation needs (RequestDisallowedByPolicy)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE, Category.SCALING),
    detect=(
        does_not_comply,
        forbids_the_shape,
        Signature(
            pattern=r"PolicyViolation: assignment (?P<assignment>.+?) (?P<assignment_id>/\S+), definition (?P<policy>[^/,]+?)(?: /\S+?)?(?:, effect (?i:deny\w*))?$",
            says="policy {policy} (assignment {assignment}) denies the request",
            sample='RequestDisallowedByPolicy: Resource \'MC_rg_shop\' was disallowed by policy. Policy identifiers: \'[{"policyAssignment":{"name":"Not allowed resource types","id":"/subscriptions/0/providers/Microsoft.Authorization/policyAssignments/a1"},"policyDefinition":{"name":"Not allowed resource types","id":"/subscriptions/0/providers/Microsoft.Authorization/policyDefinitions/not-allowed","version":"1.0.0"}}]\'.',
            near_miss="PolicyViolation: assignment Allowed locations /subscriptions/0/providers/Microsoft.Authorization/policyAssignments/a1, definition Allowed locations, effect audit",
        ),
        Signature(
            pattern=r"(?:\bRequestDisallowedBy(?:Policy|Azure)\b|\bUserErrorPVSnapshotDisallowedByPolicy\b|(?i:was disallowed by (?:policy|Azure)\b))(?:.*?(?P<assignment_id>/[\w./-]+/policyAssignments/[\w.-]+))?",
            says="the request was denied by a policy",
            sample="Code: RequestDisallowedByPolicy Message: Resource 'MC_rg_shop' was disallowed by policy.",
            unless=r"(?i)set of best available regions",
            near_miss="Resource 'MC_rg_shop' was allowed by policy.",
        ),
    ),
    why="An assignment of Azure Policy with effect deny covers the scope, and the request does not meet it: a tag, a region, a size, a public IP or a resource type. AKS writes into the node resource group as well, where the same assignments hold.",
    remedy=(
        Step(
            "Read what the policy wants.",
            run=("az", "resource", "show", "--ids", "{assignment_id}"),
            risk=Risk.READ,
        ),
        Step(
            "Meet the policy (add the tag, choose another region or size), or exempt the node resource group from it.",
            run=(
                "az",
                "policy",
                "exemption",
                "create",
                "-n",
                "aks-nodes",
                "--policy-assignment",
                "{assignment_id}",
                "--exemption-category",
                "Waiver",
                "--scope",
                "/subscriptions/{subscription}/resourceGroups/{node_resource_group}",
            ),
            risk=Risk.SAFE,
            verify="az policy exemption list wants the exemption",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/requestdisallowedbypolicy-error",
        "https://learn.microsoft.com/azure/governance/policy/concepts/exemption-structure",
    ),
    leads_to=("aks.operation_failed", "aks.private_dns_failed", "aks.scale_up_failed"),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)
