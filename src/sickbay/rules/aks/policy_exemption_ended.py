from sickbay.model.ailing import is_ailing
from sickbay.model.aks import ManagedCluster
from sickbay.model.azure_policy import PolicyAssignment, PolicyExemption, has_ended, is_exempt
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Step, each


@each(PolicyExemption, TYPICAL)
def is_over(exemption: PolicyExemption, snapshot: Snapshot) -> Match | None:
    if not has_ended(snapshot, exemption):
        return None
    assignment_id = exemption.policy_assignment_id or ""
    assignment = snapshot.find(arm(assignment_id))
    if isinstance(assignment, PolicyAssignment) and not assignment.is_enforced:
        return None
    for cluster in snapshot.some(ManagedCluster):
        parts = [id for id in (cluster.id, cluster.node_group_id) if id and exemption.covers(id)]
        bare = [id for id in parts if not is_exempt(snapshot, assignment_id, id)]
        if not bare or not is_ailing(cluster, snapshot):
            continue
        name = assignment.title if isinstance(assignment, PolicyAssignment) else ""
        return Match(
            f"exemption {exemption.name} from {name or arm(assignment_id).name} ended at {exemption.expires_on}, and {arm(bare[0]).name} has no other",
            facts={
                "exemption": exemption.name,
                "scope": exemption.scope,
                "assignment_id": assignment_id,
            },
            cites=(exemption.cite("properties.expiresOn", exemption.expires_on),),
            at=exemption.expires_on or "",
            subject=cluster.ref,
            # An exemption that nobody needs any more may well be over.
            felt_as=("aks.policy_denies",),
        )
    return None


RULE = Rule(
    title="The exemption of the cluster from an Azure Policy has ended",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE, Category.SCALING),
    detect=(is_over,),
    why="An exemption with an end date stops to count on that day without a word. From then on the assignment denies what it had let pass, and the next operation that writes to the cluster or to the group of its nodes fails.",
    remedy=(
        Step(
            "See what the exemption was for.",
            run=(
                "az",
                "policy",
                "exemption",
                "show",
                "-n",
                "{exemption}",
                "--scope",
                "{scope}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give it a new end, after those who own the policy agree; or meet the policy instead.",
            run=(
                "az",
                "policy",
                "exemption",
                "update",
                "-n",
                "{exemption}",
                "--scope",
                "{scope}",
                "--expires-on",
                "<date>",
            ),
            risk=Risk.SAFE,
            verify="az policy exemption show -n {exemption} --scope {scope} --query expiresOn wants the new date",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=("https://learn.microsoft.com/azure/governance/policy/concepts/exemption-structure",),
    leads_to=("aks.policy_denies",),
    ask="az policy exemption list --disable-scope-strict-match -o json",
)
