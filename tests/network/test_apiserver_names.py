"""Why nodes of a private cluster miss the name of its API server."""

from typing import Any

import pytest
from names_kit import (  # type: ignore[import-not-found]
    API_NAME,
    API_ZONE,
    HUB,
    RECORDS,
    SPOKE,
    ZONES,
    Document,
    a_record,
    evidence,
    link,
    network,
    pool,
    private_cluster,
    resource,
    server_endpoint,
    the_cluster,
    zone,
)

from sickbay.model.evidence import UnseenError
from sickbay.network.apiserver_names import (
    Fault,
    Trouble,
    relative_name,
    right_address,
    trouble,
)

CLUSTER = private_cluster(agentPoolProfiles=[pool()])
RECORD = a_record(API_ZONE, "prod-1.guid", "10.1.0.4")
SEEN = (ZONES, *RECORDS)
RESOLVER = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/dnsResolvers/r"
ENTRANCE = (
    resource(RESOLVER, virtualNetwork={"id": HUB}),
    resource(
        f"{RESOLVER}/inboundEndpoints/in",
        ipConfigurations=[{"privateIpAddress": "10.0.0.4", "subnet": {"id": f"{HUB}/subnets/dns"}}],
    ),
)


def found(*documents: Document, seen: tuple[Any, ...] = SEEN) -> list[Trouble]:
    snapshot = evidence(CLUSTER, *documents, seen=seen)
    asked = [trouble(snapshot, the_cluster(snapshot), fault) for fault in Fault]
    return [one for one in asked if one]


def test_a_name_that_resolves_is_no_trouble() -> None:
    documents = (network(SPOKE, "10.1.0.0/16"), zone(API_ZONE, 1), link(API_ZONE, SPOKE), RECORD)
    assert found(*documents, server_endpoint("10.1.0.4")) == []


def test_a_zone_without_the_link_is_told_with_the_network() -> None:
    (one,) = found(network(SPOKE, "10.1.0.0/16"), zone(API_ZONE, 1), link(API_ZONE, HUB), RECORD)
    assert (one.fault, one.network, one.is_certain) == (Fault.UNLINKED, SPOKE, True)
    assert one.zone
    assert one.zone.name == API_ZONE


def test_behind_a_resolver_its_own_network_is_the_one_to_link() -> None:
    spoke = network(SPOKE, "10.1.0.0/16", servers=("10.0.0.4",))
    hub = network(HUB, "10.0.0.0/16")
    documents = (spoke, hub, *ENTRANCE, zone(API_ZONE, 1), link(API_ZONE, SPOKE), RECORD)
    (one,) = found(*documents)
    assert (one.fault, one.network, one.is_certain) == (Fault.UNLINKED, HUB, True)


def test_a_server_of_ones_own_without_a_linked_network_is_not_certain() -> None:
    spoke = network(SPOKE, "10.1.0.0/16", servers=("10.0.0.9",))
    documents = (spoke, network(HUB, "10.0.0.0/16"), zone(API_ZONE, 1), link(API_ZONE, SPOKE))
    snapshot = evidence(CLUSTER, *documents, RECORD, seen=SEEN)
    one = trouble(snapshot, the_cluster(snapshot), Fault.UNLINKED)
    assert one
    assert (one.network, one.is_certain) == (HUB, False)


def test_a_record_that_is_not_there_is_missing() -> None:
    (one,) = found(network(SPOKE, "10.1.0.0/16"), zone(API_ZONE, 1), link(API_ZONE, SPOKE))
    assert one.fault is Fault.MISSING


def test_a_record_with_another_address_is_stale() -> None:
    documents = (network(SPOKE, "10.1.0.0/16"), zone(API_ZONE, 1), link(API_ZONE, SPOKE), RECORD)
    (one,) = found(*documents, server_endpoint("10.1.0.9"))
    assert (one.fault, one.addresses) == (Fault.STALE, ("10.1.0.4",))


def test_a_public_resolver_knows_no_private_zone() -> None:
    spoke = network(SPOKE, "10.1.0.0/16", servers=("9.9.9.9",))
    snapshot = evidence(CLUSTER, spoke, zone(API_ZONE, 1), link(API_ZONE, SPOKE), RECORD, seen=SEEN)
    one = trouble(snapshot, the_cluster(snapshot), Fault.SERVER)
    assert one
    assert one.by.name == "9.9.9.9"


@pytest.mark.parametrize("fault", [Fault.UNLINKED, Fault.MISSING, Fault.STALE])
def test_without_any_zone_nothing_is_known(fault: Fault) -> None:
    snapshot = evidence(CLUSTER, network(SPOKE, "10.1.0.0/16"))
    with pytest.raises(UnseenError):
        trouble(snapshot, the_cluster(snapshot), fault)


def test_a_server_whose_network_is_linked_is_itself_the_only_doubt() -> None:
    spoke = network(SPOKE, "10.1.0.0/16", servers=("10.0.0.9",))
    documents = (spoke, network(HUB, "10.0.0.0/16"), zone(API_ZONE, 1), link(API_ZONE, HUB), RECORD)
    snapshot = evidence(CLUSTER, *documents, seen=SEEN)
    assert trouble(snapshot, the_cluster(snapshot), Fault.UNLINKED) is None
    with pytest.raises(UnseenError, match=r"10\.0\.0\.9"):
        trouble(snapshot, the_cluster(snapshot), Fault.SERVER)


def test_the_record_is_named_as_the_zone_has_it() -> None:
    documents = (zone(API_ZONE, 1), link(API_ZONE, SPOKE), server_endpoint("10.1.0.9"))
    snapshot = evidence(CLUSTER, network(SPOKE, "10.1.0.0/16"), *documents, seen=SEEN)
    one = trouble(snapshot, the_cluster(snapshot), Fault.MISSING)
    assert one
    assert relative_name(the_cluster(snapshot), one.zone) == API_NAME.removesuffix(f".{API_ZONE}")
    assert right_address(snapshot, the_cluster(snapshot)) == "10.1.0.9"
