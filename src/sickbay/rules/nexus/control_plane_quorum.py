from sickbay.model.ids import arm
from sickbay.model.nexus import BareMetalMachine, without_quorum
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(BareMetalMachine)
def quorum_is_lost(machine: BareMetalMachine, snapshot: Snapshot) -> Match | Clear | None:
    if not machine.cluster_id or not machine.has_role("control-plane"):
        return None
    machines = snapshot.once(without_quorum).get(machine.cluster_id.casefold())
    if machines is None:
        snapshot.require(BareMetalMachine, f"/subscriptions/{machine.ref.subscription}")
        return Clear(f"most control-plane machines of {arm(machine.cluster_id).name} are up")
    out = [one for one in machines if one.is_out]
    # It is told once, of the first that is down.
    if machine.ref != out[0].ref:
        return None
    names = ", ".join(one.name for one in out)
    return Match(
        f"{len(out)} of {len(machines)} control-plane machines of {arm(machine.cluster_id).name} are off or not ready: {names}",
        facts={"machines": names},
        cites=tuple(one.cite("properties.readyState", one.ready_state) for one in out[:3]),
        subject=arm(machine.cluster_id),
    )


RULE = Rule(
    title="The control plane of a Nexus site lost its quorum: too many control-plane machines are down",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.CONNECTIVITY),
    detect=(
        quorum_is_lost,
        Signature(
            pattern=r"(?i)\bETCDPossibleQuorumLoss(?P<alert>ClusterOperationsAreAffected|DegradedProposalsProcessing|IncreasedProposalsProcessingFailures|NoClusterLeader)\b",
            says="resource health reports that etcd may have lost its quorum ({alert})",
            sample="ETCDPossibleQuorumLossNoClusterLeader",
            near_miss="ETCDQuorumHealthy",
            weight=TYPICAL,
        ),
    ),
    why="The site keeps its state in etcd on the control-plane machines, which needs more than half of them. With the quorum lost the API of the site does not answer, so the usual start command cannot help either: the machines have to be powered on from the management node.",
    remedy=(
        Step(
            "See which machines are off or not ready.",
            run=("az", "networkcloud", "baremetalmachine", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "On the management node find the ironic conductor.",
            run=("sudo", "crictl", "ps", "-a", "--name", "ironic-conductor"),
            risk=Risk.READ,
        ),
        Step(
            "Power the control-plane machines on through it, one at a time[: {machines}].",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud baremetalmachine list -o table wants readyState True for the control-plane machines",
        ),
        Step("If etcd does not come back, open a support request; do not reimage a machine."),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-control-plane-quorum",),
    leads_to=("nexus.cluster_disconnected", "nexus.cluster_failed", "nexus.upgrade_prerequisites"),
)
