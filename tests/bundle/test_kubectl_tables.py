"""Tables of `kubectl get`: rows about their objects, and objects where a row tells enough."""

import pytest
from evidence_kit import made  # type: ignore[import-not-found]
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.bundle.foreign.kubectl_columns import cells_of, header_of
from sickbay.bundle.foreign.kubectl_lists import tables
from sickbay.model.aso import AsoObject
from sickbay.model.rows import EndpointsRow, PodRow, ServiceRow
from sickbay.model.storage import PersistentVolumeClaim, StorageClass
from sickbay.model.workloads import DaemonSet, Deployment, Job, PodDisruptionBudget

PODS = """\
NAME                  READY   STATUS             RESTARTS      AGE
web-7d9f8b6c5-x2x4q   0/1     CrashLoopBackOff   12 (3m ago)   30m
cart-5b6c4d-abcde     1/1     Running            0             30m
"""
DEPLOYMENTS = """\
NAMESPACE     NAME      READY   UP-TO-DATE   AVAILABLE   AGE   CONTAINERS   IMAGES   SELECTOR
kube-system   coredns   1/2     2            1           45d   coredns      dns:1    k8s-app=kube-dns
shop          cart      3/3     3            3           45d   cart         cart:9   app=cart,tier=front
"""  # noqa: E501
EVENTS = """\
LAST SEEN          TYPE      REASON             OBJECT                             MESSAGE
5m (x74 over 8m)   Warning   BackOff            pod/web-7d9f8b6c5-x2x4q            Back-off restarting
failed container web
9m                 Normal    NodeNotReady       node/aks-np1-12345678-vmss000002   Node is now: NodeNotReady
"""  # noqa: E501


def test_a_row_of_pods_is_heard_about_its_pod() -> None:
    heard = made(f"$ kubectl get pods -n shop\n{PODS}").texts
    assert str(heard[0].about) == "pod/shop/web-7d9f8b6c5-x2x4q"
    assert "CrashLoopBackOff" in heard[0].text
    assert heard[0].origin.locator == "line 3"


def test_a_namespace_that_is_not_told_gets_a_stand_in() -> None:
    assert str(made(PODS).texts[1].about) == "pod/<namespace>/cart-5b6c4d-abcde"


def test_a_row_of_pods_is_no_object_from_which_a_fault_could_be_excluded() -> None:
    assert not made(PODS).snapshot.holds("Pod")


def test_a_deployment_has_the_numbers_of_its_row() -> None:
    coredns, cart = made(DEPLOYMENTS).snapshot.some(Deployment)
    assert (coredns.namespace, coredns.spec.replicas, coredns.status.ready_replicas) == (
        "kube-system",
        2,
        1,
    )
    assert cart.spec.selector is not None
    assert cart.spec.selector.match_labels == {"app": "cart", "tier": "front"}


def test_a_list_of_all_namespaces_is_complete() -> None:
    assert made(DEPLOYMENTS).snapshot.has_seen("Deployment")


def test_a_list_that_breaks_off_is_not_complete() -> None:
    assert not made(DEPLOYMENTS.rstrip("\n")).snapshot.has_seen("Deployment")


def test_a_list_that_was_filtered_is_not_complete() -> None:
    text = f"$ kubectl get deploy -A -l app=cart\n{DEPLOYMENTS}"
    assert not made(text).snapshot.has_seen("Deployment")


@pytest.mark.parametrize(
    ("asked", "scope"),
    [("kubectl get deploy -n shop", "shop"), ("kubectl get deployments -A", "")],
)
def test_no_resources_found_is_a_complete_list(asked: str, scope: str) -> None:
    text = f"$ {asked}\nNo resources found\n"
    assert made(text).snapshot.has_seen("Deployment", scope)


def test_no_resources_found_without_its_command_says_nothing() -> None:
    assert not made("No resources found\n").snapshot.has_seen("Pod")


def test_an_event_is_a_text_about_its_object_as_often_as_it_happened() -> None:
    event = made(f"$ kubectl get events -n shop\n{EVENTS}").texts[0]
    assert (event.channel, event.times) == ("event", 74)
    assert str(event.about) == "pod/shop/web-7d9f8b6c5-x2x4q"
    assert event.text == "BackOff: Back-off restarting failed container web"


def test_an_event_of_a_node_has_no_namespace() -> None:
    assert str(made(EVENTS).texts[1].about) == "node/aks-np1-12345678-vmss000002"


def test_events_of_an_old_kubectl_have_their_kind_in_a_column() -> None:
    event = made(
        "LAST SEEN   FIRST SEEN   COUNT   NAME               KIND   SUBOBJECT   TYPE      REASON   SOURCE   MESSAGE\n"  # noqa: E501
        "5m          9m           7       web-1.15f0a1b2c3   Pod                Warning   Failed   kubelet  no image\n"  # noqa: E501
    ).texts[0]
    assert (str(event.about), event.times, event.text) == (
        "pod/<namespace>/web-1",
        7,
        "Failed: no image",
    )


def test_a_table_that_lost_its_layout_is_still_read() -> None:
    event = made(
        "NAMESPACE LAST SEEN TYPE REASON OBJECT MESSAGE\n"
        "shop 5m39s (x3 over 9m) Warning BackOff pod/web-1 Back-off restarting\n"
    ).texts[0]
    assert (str(event.about), event.times) == ("pod/shop/web-1", 3)


def test_blocks_of_get_all_are_told_apart() -> None:
    snapshot = made(
        "$ kubectl get all -n shop\n"
        "NAME            READY   STATUS    RESTARTS   AGE\n"
        "pod/web-1       1/1     Running   0          3d\n"
        "\n"
        "NAME                     DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR   AGE\n"  # noqa: E501
        "daemonset.apps/proxy     3         3         2       3            2           <none>          3d\n"  # noqa: E501
        "\n"
        "NAME                  READY   UP-TO-DATE   AVAILABLE   AGE\n"
        "deployment.apps/web   1/1     1            1           3d\n"
    ).snapshot
    (proxy,) = snapshot.some(DaemonSet)
    assert (proxy.name, proxy.status.desired_number_scheduled, proxy.status.number_ready) == (
        "proxy",
        3,
        2,
    )
    assert [str(one.ref) for one in snapshot.some(Deployment)] == ["deployment/shop/web"]


def test_a_claim_with_empty_cells_is_read_by_place() -> None:
    (claim,) = made(
        "NAME   STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE\n"
        "data   Pending                                      managed-csi    5m\n"
    ).snapshot.some(PersistentVolumeClaim)
    assert claim.status.phase == "Pending"
    assert (claim.spec.storage_class_name, claim.spec.volume_name) == ("managed-csi", None)


def test_the_default_class_is_told_by_its_name() -> None:
    snapshot = made(
        "$ kubectl get sc\n"
        "NAME                PROVISIONER          RECLAIMPOLICY   VOLUMEBINDINGMODE      AGE\n"
        "default (default)   disk.csi.azure.com   Delete          WaitForFirstConsumer   3d\n"
    ).snapshot
    (found,) = snapshot.all(StorageClass)
    assert (found.name, found.is_default, found.waits_for_pod) == ("default", True, True)


def test_classes_without_their_command_are_all_where_the_default_is_among_them() -> None:
    head = "NAME                PROVISIONER          RECLAIMPOLICY   VOLUMEBINDINGMODE      AGE\n"
    default = "default (default)   disk.csi.azure.com   Delete   WaitForFirstConsumer   3d\n"
    other = "managed-csi         disk.csi.azure.com   Delete   WaitForFirstConsumer   3d\n"
    assert made(head + default + other).snapshot.has_seen("StorageClass")
    assert not made(head + other + other).snapshot.has_seen("StorageClass")
    assert not made(head + default).snapshot.has_seen("StorageClass")


def test_a_budget_without_room_is_read() -> None:
    (budget,) = made(
        "NAMESPACE   NAME   MIN AVAILABLE   MAX UNAVAILABLE   ALLOWED DISRUPTIONS   AGE\n"
        "shop        cart   50%             N/A               0                     3d\n"
    ).snapshot.some(PodDisruptionBudget)
    assert (budget.spec.min_available, budget.spec.max_unavailable) == ("50%", None)
    assert budget.status.disruptions_allowed == 0


def test_a_job_fails_by_its_status() -> None:
    (job,) = made(
        "NAME   STATUS   COMPLETIONS   DURATION   AGE\n"
        "load   Failed   0/1           5m         5m\n"
    ).snapshot.some(Job)
    assert job.failure is not None


def test_an_azure_object_among_others_names_its_kind() -> None:
    (thing,) = made(
        "NAME                                                    READY   SEVERITY   REASON            MESSAGE\n"  # noqa: E501
        "managedcluster.containerservice.azure.com/aks1          False   Error      BadRequest        no such size\n"  # noqa: E501
    ).snapshot.some(AsoObject)
    assert (thing.name, thing.object_kind, thing.is_unwell) == ("aks1", "managedcluster", True)


def test_an_azure_object_of_an_untold_kind_stays_prose() -> None:
    text = "NAME   READY   SEVERITY   REASON   MESSAGE\nres1   False   Error   Bad   no such size\n"
    assert made(text).logs[0][0] == text


def test_what_stands_around_a_table_is_heard_with_its_line_number() -> None:
    (rest, frame) = made(f"first\n{PODS}last words\n").logs[0]
    assert rest.split("\n")[4] == "last words"
    assert frame.first_line == 1


def test_line_ends_of_windows_and_blank_lines_before_do_no_harm() -> None:
    text = "\r\n\r\n" + PODS.replace("\n", "\r\n")
    assert len(made(text).texts) == 2


@pytest.mark.parametrize(
    "line",
    [
        "NAME OF THE CUSTOMER",
        "NAME: web",
        "NAMES ARE NOT READY",
        "NAME  READY",
        "The NAME READY STATUS RESTARTS AGE",
        "name  ready  status  restarts",
    ],
)
def test_prose_is_no_header(line: str) -> None:
    assert header_of(line) is None


def test_prose_below_a_header_is_no_row() -> None:
    header = header_of("NAME   READY   STATUS   RESTARTS   AGE")
    assert header is not None
    assert cells_of("This is what we saw on Monday in production", header) is None


def test_rows_of_labels_are_kept_apart_from_the_rest() -> None:
    (table,) = tables(
        "NAME    READY   STATUS    RESTARTS   AGE   LABELS\n"
        "web-1   1/1     Running   0          3d    app=web,tier=front\n"
    )
    assert table.rows[0].cells["LABELS"] == "app=web,tier=front"


@pytest.mark.parametrize("text", [PODS, DEPLOYMENTS, EVENTS])
def test_a_table_may_break_off_anywhere(text: str) -> None:
    for end in range(0, len(text), 5):
        assert made(text[:end]) is not None


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([*PODS.split("\n"), *EVENTS.split("\n"), "$ x", "", "a  b"])))
def test_lines_in_any_order_are_read(lines: list[str]) -> None:
    assert made("\n".join(lines)) is not None


def test_rows_keep_what_they_say_of_labels_and_endpoints() -> None:
    text = (
        "$ kubectl get svc -o wide\n"
        "NAME   TYPE        CLUSTER-IP   EXTERNAL-IP   PORT(S)   AGE   SELECTOR\n"
        "web    ClusterIP   10.0.0.9     <none>        80/TCP    4d    app=webb\n"
        "$ kubectl get ep web\n"
        "NAME   ENDPOINTS   AGE\n"
        "web    <none>      4d\n"
        "$ kubectl get pods -l app=webb\n"
        "No resources found in default namespace.\n"
    )
    snapshot = made(text, "saved.txt").snapshot
    [service], [endpoints] = snapshot.some(ServiceRow), snapshot.some(EndpointsRow)
    [pod] = snapshot.some(PodRow)
    assert service.spec.selector == pod.spec.selector == {"app": "webb"}
    assert endpoints.spec.is_empty
    assert endpoints.spec.is_asked_for
