"""An event is over once its pod has come further than where the event saw it stand."""

from sickbay.engine.ledger import Heard
from sickbay.engine.recovery import still_true
from sickbay.model.entity import Metadata
from sickbay.model.evidence import Origin, Text
from sickbay.model.kubernetes import (
    Condition,
    ContainerState,
    ContainerStates,
    ContainerStatus,
    Node,
    NodeStatus,
    Pod,
    PodSpec,
    PodStatus,
)
from sickbay.model.snapshot import Seen, Snapshot
from sickbay.model.storage import ClaimStatus, PersistentVolumeClaim

UNBOUND = "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims."
ELSEWHERE = "0/2 nodes are available: 2 node(s) didn't match PersistentVolume's node affinity."


def pod(waits: str = "", node: str = "node1", unplaced: str = "") -> Pod:
    states = ContainerStates(waiting=ContainerState(reason=waits))
    placed = Condition(type="PodScheduled", status="False", message=unplaced)
    return Pod(
        metadata=Metadata(name="web", namespace="shop"),
        spec=PodSpec(node_name=node),
        status=PodStatus(
            phase="Pending",
            conditions=[placed] if unplaced else None,
            container_statuses=[ContainerStatus(name="app", state=states)] if waits else None,
        ),
    )


def node(pressed: str = "False") -> Node:
    conditions = [
        Condition(type="Ready", status="True"),
        Condition(type="DiskPressure", status=pressed),
    ]
    return Node(metadata=Metadata(name="node1"), status=NodeStatus(conditions=conditions))


def left(seen: Pod | Node | PersistentVolumeClaim, *events: str) -> list[str]:
    heard = [
        Heard(0, (), Text(event, Origin("events.json"), seen.ref, "event"), event, 0, ())
        for event in events
    ]
    return [one.text.text for one in still_true(heard, Snapshot((seen,)))]


def test_a_mount_that_failed_is_over_once_a_container_was_made() -> None:
    event = "FailedMount: failed to sync configmap cache: timed out"
    assert left(pod(waits="CreateContainerConfigError"), event) == []
    assert left(pod(waits="ContainerCreating"), event) == [event]


def test_of_the_scheduler_counts_what_it_says_now() -> None:
    earlier, now = f"FailedScheduling: {UNBOUND}", f"FailedScheduling: {ELSEWHERE}"
    assert left(pod(node="", unplaced=ELSEWHERE), earlier, now) == [now]


def test_that_a_node_was_lost_is_over_for_its_pods_when_every_node_is_back() -> None:
    event = "NodeNotReady: Node is not ready"
    gone = pod()
    text = Text(event, Origin("events.json"), gone.ref, "event")
    heard = [Heard(0, (), text, event, 0, ())]
    lost = Node(metadata=Metadata(name="node2"), status=NodeStatus(conditions=None))

    def told(*nodes: Node) -> list[Heard]:
        return still_true(heard, Snapshot(nodes, seen=[Seen("Node"), Seen("Pod")]))

    assert told(node()) == []
    assert told(node(), lost) == heard
    assert still_true(heard, Snapshot((node(),))) == heard


def test_an_eviction_is_over_when_the_node_is_well_and_another_pod_runs() -> None:
    says = "Evicted: The node was low on resource: memory."
    gone = Pod(
        metadata=Metadata(name="web-5f4b-aaaaa", namespace="shop"),
        status=PodStatus(phase="Failed", reason="Evicted"),
    )
    ready = [Condition(type="Ready", status="True")]
    next_one = Pod(
        metadata=Metadata(name="web-5f4b-bbbbb", namespace="shop"),
        status=PodStatus(phase="Running", conditions=ready),
    )
    text = Text(says, Origin("pods.json"), gone.ref, "condition")
    heard = [Heard(0, (), text, says, 0, ())]

    def told(*seen: Pod | Node) -> list[Heard]:
        return still_true(heard, Snapshot(seen, seen=[Seen("Node"), Seen("Pod")]))

    assert told(node(), gone, next_one) == []
    assert told(node(pressed="True"), gone, next_one) == heard
    assert told(node(), gone) == heard


def test_that_a_claim_had_no_volume_is_over_once_it_has_one() -> None:
    event = 'ProvisioningFailed: storageclass.storage.k8s.io "csi" not found'

    def told(phase: str) -> list[str]:
        status = ClaimStatus(phase=phase)
        claim = PersistentVolumeClaim(
            metadata=Metadata(name="data", namespace="shop"), status=status
        )
        return left(claim, event)

    assert told("Bound") == []
    assert told("Pending") == [event]


def test_what_kept_a_pod_from_its_node_is_over_when_it_has_one() -> None:
    assert left(pod(waits="ContainerCreating"), f"FailedScheduling: {UNBOUND}") == []


def test_a_shortage_is_over_when_the_node_says_so() -> None:
    event = "NodeHasDiskPressure: Node node1 status is now: NodeHasDiskPressure"
    assert left(node(), event) == []
    assert left(node(pressed="True"), event) == [event]
