"""A snapshot in the making: documents, texts, logs, looks and gaps."""

from evidence_kit import Ear  # type: ignore[import-not-found]

from sickbay.bundle.build import Builder
from sickbay.bundle.frame import Frame
from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.entity import Metadata
from sickbay.model.evidence import Gap, Origin, Reason, Text
from sickbay.model.ids import arm, kube
from sickbay.model.kubernetes import Pod

CLUSTER = "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/c"


def test_a_builder_that_was_given_nothing_makes_an_empty_snapshot() -> None:
    snapshot = Builder(Ear()).finish()
    assert (len(snapshot), snapshot.gaps) == (0, ())


def test_texts_and_logs_are_heard_and_counted() -> None:
    ear = Ear()
    builder = Builder(ear)
    builder.text(Text("it broke", Origin("x")))
    builder.log(iter([b"one\n", b"two\n"]), Frame("y"))
    assert ([text.text for text in ear.texts], ear.logs) == (
        ["it broke"],
        [("one\ntwo\n", Frame("y"))],
    )
    assert builder.texts == 2


def test_an_azure_document_becomes_an_entity_with_its_children() -> None:
    builder = Builder(Ear())
    pools = [{"name": "np1", "count": 3}]
    builder.arm({"id": CLUSTER, "properties": {"agentPoolProfiles": pools}}, Origin("c.json", "$"))
    snapshot = builder.finish()
    assert [pool.count for pool in snapshot.some(AgentPool)] == [3]
    assert snapshot.origin(arm(f"{CLUSTER}/agentPools/np1")) == Origin("c.json", "$/np1")


def test_rest_and_az_give_the_same_entity() -> None:
    rest, az = Builder(Ear()), Builder(Ear())
    rest.arm({"id": CLUSTER, "properties": {"provisioningState": "Failed"}}, Origin("x"))
    az.arm({"id": CLUSTER, "provisioningState": "Failed"}, Origin("x"))
    (one,), (other,) = (built.finish().some(ManagedCluster) for built in (rest, az))
    assert one == other


def test_a_message_in_a_document_is_a_text_about_it() -> None:
    ear = Ear()
    Builder(ear).kube(
        {
            "kind": "Pod",
            "metadata": {"name": "web", "namespace": "shop"},
            "status": {"reason": "Evicted", "message": "no disk left"},
        },
        Origin("p.json", "$"),
    )
    assert [(text.text, text.about) for text in ear.texts] == [
        ("Evicted: no disk left", kube("Pod", "shop", "web"))
    ]


def test_an_event_is_a_text_and_no_entity() -> None:
    ear = Ear()
    builder = Builder(ear)
    about = {"kind": "Pod", "namespace": "shop", "name": "web"}
    event = {
        "kind": "Event",
        "involvedObject": about,
        "reason": "Failed",
        "message": "x",
        "count": 4,
    }
    builder.kube(event, Origin("e.json", "$"))
    assert [(text.channel, text.times) for text in ear.texts] == [("event", 4)]
    assert len(builder.finish()) == 0


def test_an_entity_that_a_reader_made_is_kept() -> None:
    builder = Builder(Ear())
    pod = Pod(metadata=Metadata(name="web", namespace="shop"))
    builder.entity(pod, Origin("table.txt", "line 2"))
    assert builder.finish().some(Pod) == (pod,)


def test_what_was_read_to_its_end_is_known() -> None:
    builder = Builder(Ear())
    builder.seen("Pod", "shop")
    assert builder.finish().has_seen("Pod", "shop")


def test_a_source_that_was_not_understood_counts_once() -> None:
    builder = Builder(Ear())
    for what in ("line 1", "line 2"):
        builder.gap(Gap("x.json", what, Reason.MALFORMED, asked_for=True))
    builder.gap(Gap("y.json", "nobody asked"))
    assert (builder.not_understood, len(builder.finish().gaps)) == (1, 3)


def test_a_value_of_the_wrong_kind_is_a_gap_and_the_rest_is_kept() -> None:
    builder = Builder(Ear())
    body = {"id": CLUSTER, "name": "c", "properties": {"agentPoolProfiles": "none"}}
    builder.arm(body, Origin("c.json", "$"))
    snapshot = builder.finish()
    assert [cluster.name for cluster in snapshot.some(ManagedCluster)] == ["c"]
    assert [gap.reason for gap in snapshot.gaps] == [Reason.MALFORMED]
