"""Stores of pod addresses, and what runs beside them."""

import json

import pytest
from evidence_kit import made, made_of  # type: ignore[import-not-found]
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.bundle.foreign.ipam_state import holder, is_node_state, is_state, stores_in
from sickbay.model.evidence import UnseenError
from sickbay.model.node import AddressStore, Balance, Sandboxes
from sickbay.model.snapshot import Snapshot

NODE = "aks-np1-12345678-vmss000000"
LISTING = f"""\
root@{NODE}:/# ls -al /var/lib/cni/networks/kubenet
total 16
drwxr-xr-x 2 root root 4096 Nov 16 10:00 .
-rw-r--r-- 1 root root   70 Nov 16 10:00 10.244.1.5
-rw-r--r-- 1 root root   70 Nov 16 10:00 10.244.1.6
-rw-r--r-- 1 root root   70 Nov 16 10:00 10.244.1.7
-rw-r--r-- 1 root root   10 Nov 16 10:00 last_reserved_ip.0
-rwxr-x--- 1 root root    0 Nov 16 10:00 lock
"""
SANDBOXES = """\
POD ID              CREATED             STATE               NAME          NAMESPACE     ATTEMPT
0a1b2c3d4e5f6       3 days ago          Ready               web-1         shop          0
1a1b2c3d4e5f6       3 days ago          NotReady            web-2         shop          0
"""
STATE = {
    "IPAM": {
        "Version": "v1.4",
        "AddressSpaces": {
            "local": {
                "Id": "local",
                "Pools": {
                    "10.240.0.0/16": {
                        "Addresses": {
                            "10.240.0.5": {"ID": "a", "Addr": "10.240.0.5", "InUse": True},
                            "10.240.0.6": {"ID": "", "Addr": "10.240.0.6", "InUse": False},
                        }
                    }
                },
            }
        },
    }
}


RUNS, ENDED, GONE = "a" * 64, "b" * 64, "c" * 64
ENTRIES = f"""\
root@{NODE}:/# grep -r . /var/lib/cni/networks/kubenet
/var/lib/cni/networks/kubenet/10.244.1.5:{RUNS}
/var/lib/cni/networks/kubenet/10.244.1.5:eth0
/var/lib/cni/networks/kubenet/10.244.1.6:{ENDED}
/var/lib/cni/networks/kubenet/10.244.1.7:{GONE}
/var/lib/cni/networks/kubenet/last_reserved_ip.0:10.244.1.7
"""
DOCKER = f"""\
root@{NODE}:/# docker ps -a
CONTAINER ID   IMAGE     COMMAND    CREATED      STATUS                       NAMES
{RUNS[:12]}   pause:3   "/pause"   3 days ago   Up 3 days                    k8s_POD_web-1_shop_1_0
{ENDED[:12]}   pause:3   "/pause"   3 days ago   Exited (0) 2 minutes ago     k8s_POD_job-1_shop_2_0
"""
CRICTL = f"""\
root@{NODE}:/# crictl pods
POD ID              CREATED             STATE               NAME          NAMESPACE     ATTEMPT
{RUNS[:13]}       3 days ago          Ready               web-1         shop          0
{ENDED[:13]}       3 days ago          NotReady            job-1         shop          0
"""
COUNTS = f"""\
root@{NODE}:/# cd /var/lib/cni/networks/kubenet
root@{NODE}:/var/lib/cni/networks/kubenet# ls -al|wc -l
258

root@{NODE}:/var/lib/cni/networks/kubenet# docker ps | grep POD | wc -l
7
"""


def balance_of(*texts: str) -> Balance:
    snapshot = made_of({f"{NODE}/{at}.txt": text for at, text in enumerate(texts)}).snapshot
    best: AddressStore = max(snapshot.some(AddressStore), key=lambda store: store.has_holders)
    return best.balance(snapshot)


@pytest.mark.parametrize("sandboxes", [DOCKER, CRICTL])
def test_each_entry_is_followed_to_its_sandbox(sandboxes: str) -> None:
    assert balance_of(ENTRIES, sandboxes) == Balance(3, 1, 1, 1)


def test_lines_of_docker_without_their_header_are_sandboxes() -> None:
    header = next(line for line in DOCKER.split("\n") if line.startswith("CONTAINER"))
    lines = DOCKER.replace(f"{header}\n", "").replace("ps -a", "ps -a | grep POD")
    assert balance_of(ENTRIES + lines) == Balance(3, 1, 1, 1)


def test_files_printed_with_their_names_are_entries() -> None:
    titled = (
        f"root@{NODE}:/# tail -n +1 /var/lib/cni/networks/kubenet/*\n"
        f"==> /var/lib/cni/networks/kubenet/10.244.1.5 <==\n{RUNS}\neth0\n"
        f"==> /var/lib/cni/networks/kubenet/10.244.1.7 <==\n{GONE}\neth0\n"
    )
    assert balance_of(titled, CRICTL) == Balance(2, 1, 0, 1)


def test_without_the_exited_ones_a_leak_is_not_told_from_garbage() -> None:
    running = CRICTL.replace("crictl pods", "crictl pods --state Ready").rpartition(ENDED[:13])[0]
    assert balance_of(ENTRIES, running) == Balance(3, 1, 0, 0, 2)


def test_numbers_that_somebody_counted_are_compared() -> None:
    assert balance_of(COUNTS) == Balance(253, 7, 0, 0, 246)


def test_entries_with_ids_outdo_a_mere_listing() -> None:
    snapshot = made_of({f"{NODE}/a.txt": LISTING, f"{NODE}/b.txt": ENTRIES}).snapshot
    outdone = {store.how: store.is_outdone(snapshot) for store in snapshot.some(AddressStore)}
    assert outdone == {"": True, "entries": False}


def test_addresses_that_were_left_behind_are_named() -> None:
    snapshot = made_of({f"{NODE}/a.txt": ENTRIES, f"{NODE}/b.txt": CRICTL}).snapshot
    (store,) = snapshot.some(AddressStore)
    assert store.left_behind(snapshot) == "10.244.1.6 of bbbbbbbbbbbb, 10.244.1.7 of cccccccccccc"


def test_without_sandboxes_nobody_can_judge_the_store() -> None:
    snapshot = made(ENTRIES).snapshot
    (store,) = snapshot.some(AddressStore)
    with pytest.raises(UnseenError) as unseen:
        store.balance(snapshot)
    assert unseen.value.gap.to_open == "crictl pods -o json"


def test_the_order_of_files_makes_no_difference() -> None:
    assert balance_of(ENTRIES, CRICTL, DOCKER) == balance_of(DOCKER, CRICTL, ENTRIES)


@pytest.mark.parametrize(
    ("cidr", "room"), [("10.244.1.0/24", 253), ("10.244.1.0/26", 61), ("fd00::/64", None)]
)
def test_the_range_of_the_node_tells_how_many_addresses_it_has(cidr: str, room: int | None) -> None:
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": NODE},
        "spec": {"podCIDR": cidr},
    }
    snapshot = made_of({"ipam.txt": ENTRIES, "node.json": json.dumps(node)}).snapshot
    (store,) = snapshot.some(AddressStore)
    assert store.room(snapshot) == room


ENDPOINT = {"Id": f"{RUNS[:8]}-eth0", "ContainerID": RUNS}
OF_PLUGIN = {
    "Network": {
        "ExternalInterfaces": {
            "eth0": {"Networks": {"azure": {"Endpoints": {f"{RUNS[:8]}-eth0": ENDPOINT}}}}
        }
    }
}
OF_CNS = {"Endpoints": {RUNS: {"PodName": "web-1", "IfnameToIPMap": {"eth0": {"IPv4": []}}}}}
ASSIGNED = {
    "IPConfigurationStatus": [
        {"IPAddress": "10.244.0.5", "State": "Assigned", "PodInfo": {"PodInfraContainerID": RUNS}},
        {"IPAddress": "10.244.0.6", "State": "Available"},
    ]
}
PODS = {
    "items": [{"id": RUNS, "state": "SANDBOX_READY"}, {"id": ENDED, "state": "SANDBOX_NOTREADY"}]
}


@pytest.mark.parametrize("state", [OF_PLUGIN, OF_CNS, ASSIGNED])
def test_state_of_azures_plugins_tells_who_holds_an_address(state: dict[str, object]) -> None:
    (store,) = stores_in(state, NODE, "")
    assert isinstance(store, AddressStore)
    assert (store.allocated, store.holders) == (1, (RUNS,))


@pytest.mark.parametrize("state", [STATE, OF_PLUGIN, OF_CNS, ASSIGNED, PODS])
def test_state_is_known_by_its_members(state: dict[str, object]) -> None:
    assert is_state(json.dumps(state))
    assert is_node_state(state)


def test_an_object_of_kubernetes_is_no_state_of_a_node() -> None:
    pods = {"apiVersion": "v1", "kind": "PodList", "items": [{"status": {"phase": "Running"}}]}
    assert not is_state(json.dumps(pods))
    assert not is_node_state(pods)


def test_sandboxes_as_json_tell_which_have_exited() -> None:
    (found,) = stores_in(PODS, NODE, "")
    assert isinstance(found, Sandboxes)
    assert (found.running, found.ready, found.exited) == (1, (RUNS,), (ENDED,))


def test_short_ids_are_compared_by_what_they_have_in_common() -> None:
    held = (("10.0.0.5", holder(f"{RUNS[:8]}-eth0")), ("10.0.0.6", holder(GONE)))
    store = AddressStore(NODE, "", 2, entries=held)
    snapshot = Snapshot([store, Sandboxes(NODE, "", 1, (RUNS,), ())])
    assert store.balance(snapshot) == Balance(2, 1, 0, 1)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_beside_a_store_does_no_harm(noise: str) -> None:
    text = (
        f"ls /var/lib/cni/networks | wc -l\n{noise}\nPOD ID CREATED STATE NAME NAMESPACE\n{noise}"
    )
    assert made(text).logs


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(json_values, st.sampled_from(["AddressSpaces", "Network", "Endpoints", "items", "IPAM"]))
def test_state_of_any_form_does_no_harm(value: object, key: str) -> None:
    assert list(stores_in({key: value}, NODE, "")) == []


def test_a_listing_counts_the_addresses_that_are_given_out() -> None:
    (store,) = made(LISTING).snapshot.some(AddressStore)
    assert (store.allocated, store.capacity, store.node) == (3, None, NODE)


def test_the_state_of_azure_cni_counts_used_and_all_addresses() -> None:
    result = made(json.dumps(STATE), f"{NODE}/azure-vnet-ipam.json")
    (store,) = result.snapshot.some(AddressStore)
    assert (store.allocated, store.capacity, store.prefix) == (1, 2, "10.240.0.0/16")
    assert not result.not_understood


def test_a_table_of_the_runtime_counts_what_runs() -> None:
    (found,) = made(SANDBOXES).snapshot.some(Sandboxes)
    assert found.running == 1


def test_a_table_of_docker_counts_the_sandboxes() -> None:
    (found,) = made(
        "CONTAINER ID   IMAGE      COMMAND    CREATED       STATUS       PORTS   NAMES\n"
        '0a1b2c3d4e5f   pause:3    "/pause"   3 days ago    Up 3 days            k8s_POD_web-1\n'
        '1a1b2c3d4e5f   web:9      "/web"     3 days ago    Up 3 days            k8s_web_web-1\n'
    ).snapshot.some(Sandboxes)
    assert found.running == 1


def test_files_of_one_folder_are_compared() -> None:
    listing = LISTING.partition("\n")[2]
    snapshot = made_of({"node/ipam.txt": listing, "node/crictl.txt": SANDBOXES}).snapshot
    (store,) = snapshot.some(AddressStore)
    assert store.running(snapshot) == 1


def test_files_of_two_nodes_are_not_compared() -> None:
    snapshot = made_of({f"{NODE}/ipam.txt": LISTING, "other/crictl.txt": SANDBOXES}).snapshot
    (store,) = snapshot.some(AddressStore)
    assert store.running(snapshot) is None


def test_the_store_belongs_to_its_node() -> None:
    snapshot = made(LISTING).snapshot
    (store,) = snapshot.some(AddressStore)
    assert [str(ref) for ref in store.links(snapshot)] == [f"node/{NODE}"]


def test_a_listing_is_still_heard() -> None:
    assert made(LISTING).logs[0][0] == LISTING


def test_addresses_in_prose_are_no_store() -> None:
    assert not len(made("the servers are\n10.0.0.1\n10.0.0.2\n").snapshot)


@pytest.mark.parametrize("pools", [{"x": 1}, [], None, {"x": {"Addresses": [1]}}])
def test_state_of_a_wrong_form_does_no_harm(pools: object) -> None:
    text = json.dumps({"AddressSpaces": {"local": {"Pools": pools}, "y": 3}})
    assert not len(made(text).snapshot)
