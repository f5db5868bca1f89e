"""Stores of pod addresses, and what runs beside them."""

import json

import pytest
from evidence_kit import made, made_of  # type: ignore[import-not-found]

from sickbay.model.node import AddressStore, Sandboxes

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
