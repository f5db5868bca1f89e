"""Names that pods ask for: search domains, services, the rules of CoreDNS, the nodes' network."""

import pytest
from names_kit import (  # type: ignore[import-not-found]
    API_NAME,
    API_ZONE,
    RECORDS,
    SPOKE,
    Document,
    a_record,
    cluster,
    config_map,
    evidence,
    link,
    network,
    pod,
    pool,
    service,
    the_pod,
    zone,
)

from sickbay.model.entity import Metadata
from sickbay.model.kubernetes import DnsConfig, DnsOption, Pod, PodSpec
from sickbay.network.names import resolve, resolver_of, tried
from sickbay.network.names_answers import Resolution
from sickbay.network.traffic import Verdict

ALLOWED, BLOCKED, UNKNOWN = Verdict.ALLOWED, Verdict.BLOCKED, Verdict.UNKNOWN
SEARCHES = ("shop.svc.cluster.local", "svc.cluster.local", "cluster.local")
PROD = cluster(agentPoolProfiles=[pool()], networkProfile={"dnsServiceIP": "10.0.0.10"})


def asked(name: str, *documents: Document, seen: tuple[str, ...] = ()) -> Resolution:
    snapshot = evidence(pod(), PROD, network(), *documents, seen=seen)
    return resolve(snapshot, name, the_pod(snapshot))


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("db", "db.ns.svc db.svc db"),
        ("a.b.c.d.e", "a.b.c.d.e.ns.svc a.b.c.d.e.svc a.b.c.d.e"),
        ("a.b.c.d.e.f", "a.b.c.d.e.f a.b.c.d.e.f.ns.svc a.b.c.d.e.f.svc"),
        ("Example.org.", "example.org"),
    ],
)
def test_fewer_dots_than_ndots_are_tried_with_the_search_domains_first(
    name: str, names: str
) -> None:
    assert tried(name, ("ns.svc", "svc"), 5) == tuple(names.split())


def test_a_pod_asks_the_cluster_first_with_five_dots() -> None:
    snapshot = evidence(pod())
    found = resolver_of(the_pod(snapshot))
    assert (found.searches, found.dots, found.is_of_node) == (SEARCHES, 5, False)


def test_a_pod_on_the_network_of_its_node_asks_as_the_node_does() -> None:
    snapshot = evidence(pod(hostNetwork=True))
    assert resolver_of(the_pod(snapshot)).is_of_node


def test_a_pod_without_a_policy_of_its_own_has_only_what_its_configuration_says() -> None:
    config = DnsConfig(["10.1.1.1"], ["corp.example"], [DnsOption("ndots", "2")])
    found = resolver_of(Pod(spec=PodSpec(dns_policy="None", dns_config=config)))
    assert found == (("corp.example",), 2, ("10.1.1.1",), False)


def test_the_configuration_of_a_pod_adds_search_domains_and_sets_dots() -> None:
    config = DnsConfig(None, ["corp.example"], [DnsOption("ndots", "2")])
    found = resolver_of(Pod(metadata=Metadata(namespace="shop"), spec=PodSpec(dns_config=config)))
    assert (found.searches, found.dots) == ((*SEARCHES, "corp.example"), 2)


@pytest.mark.parametrize(
    ("policy", "is_of_node"),
    [("Default", True), ("ClusterFirst", True), ("ClusterFirstWithHostNet", False)],
)
def test_on_the_host_network_only_the_longest_policy_asks_the_cluster(
    policy: str, is_of_node: bool
) -> None:
    found = resolver_of(Pod(spec=PodSpec(dns_policy=policy, host_network=True)))
    assert found.is_of_node is is_of_node


def test_a_pod_with_servers_of_its_own_asks_them() -> None:
    config = DnsConfig(["192.168.0.53"])
    asker = Pod(spec=PodSpec(dns_policy="None", dns_config=config))
    found = resolve(evidence(network()), "db.corp.example", asker)
    assert found.gaps[0].to_open == "nslookup db.corp.example 192.168.0.53"


@pytest.mark.parametrize("name", ["db", "db.shop", "db.shop.svc", "db.shop.svc.cluster.local"])
def test_a_service_has_its_address_under_every_length_of_its_name(name: str) -> None:
    found = asked(name, service("shop", "db", clusterIP="10.0.3.4"))
    assert (found.verdict, found.addresses) == (ALLOWED, ("10.0.3.4",))


def test_a_service_of_another_namespace_is_not_found_by_its_bare_name() -> None:
    found = asked("db", service("data", "db", clusterIP="10.0.3.4"), seen=("Service",))
    assert found.verdict is BLOCKED
    assert found.answered_by is not None
    says = "does not exist in namespace shop; there is one in namespace data"
    assert (found.answered_by.name, found.answered_by.says) == ("shop/db", says)


def test_services_that_nobody_read_leave_the_answer_open() -> None:
    found = asked("db.shop.svc.cluster.local")
    assert found.verdict is UNKNOWN
    assert found.gaps[0].to_open == "kubectl get services -A -o json"


def test_an_external_name_is_followed_out_of_the_cluster() -> None:
    outside = service("shop", "db", type="ExternalName", externalName="db.example.org")
    found = asked("db", outside)
    assert found.verdict is ALLOWED
    assert found.answered_by is not None
    assert (found.answered_by.kind, found.answered_by.name) == ("PublicDns", "db.example.org")


def test_external_names_in_a_circle_resolve_to_nothing() -> None:
    target = "db.shop.svc.cluster.local"
    found = asked("db", service("shop", "db", type="ExternalName", externalName=target))
    assert found.verdict is BLOCKED


def test_a_headless_service_has_the_addresses_of_its_ready_pods() -> None:
    member = pod(name="db-0")
    member["metadata"]["labels"] = {"app": "db"}
    ready = [{"type": "Ready", "status": "True"}]
    member["status"] = {"podIP": "10.244.0.9", "conditions": ready}
    headless = service("shop", "db", clusterIP="None", selector={"app": "db"})
    found = asked("db", headless, member, seen=("Pod",))
    assert found.addresses == ("10.244.0.9",)
    assert asked("db-0.db", headless, member).addresses == ("10.244.0.9",)


def test_a_headless_service_without_a_ready_pod_has_no_address() -> None:
    headless = service("shop", "db", clusterIP="None", selector={"app": "db"})
    assert asked("db", headless, seen=("Pod",)).verdict is BLOCKED


def test_other_names_are_asked_of_the_network_of_the_nodes() -> None:
    record = a_record(API_ZONE, "prod-1.guid", "10.1.0.4")
    found = asked(API_NAME, zone(API_ZONE, 1), link(API_ZONE, SPOKE), record)
    assert found.addresses == ("10.1.0.4",)
    assert any("forwards to /etc/resolv.conf" in one.says for one in found.considered)


def test_a_configuration_that_nobody_read_is_named_as_a_gap() -> None:
    found = asked("example.org")
    assert "kubectl -n kube-system get configmap coredns coredns-custom -o json" in {
        gap.to_open for gap in found.gaps
    }


def custom(text: str) -> Document:
    return config_map("coredns-custom", corp__server=text)


def test_a_block_of_the_user_sends_its_zone_to_his_server() -> None:
    found = asked("db.corp.example", custom("corp.example:53 {\n forward . 192.168.0.53\n}"))
    assert found.verdict is UNKNOWN
    assert found.answered_by is not None
    assert (found.answered_by.kind, found.answered_by.name) == ("DnsServer", "192.168.0.53")
    assert any(one.name == "kube-system/coredns-custom" for one in found.considered)


def test_a_block_of_the_user_can_send_its_zone_to_azure_dns() -> None:
    block = custom(f"{API_ZONE}:53 {{\n forward . 168.63.129.16\n}}")
    record = a_record(API_ZONE, "prod-1.guid", "10.1.0.4")
    found = asked(API_NAME, block, zone(API_ZONE, 1), link(API_ZONE, SPOKE), record)
    assert found.addresses == ("10.1.0.4",)


def test_a_block_that_forwards_to_the_cluster_dns_goes_in_a_circle() -> None:
    found = asked("db.corp.example", custom("corp.example:53 {\n forward . 10.0.0.10\n}"))
    assert found.verdict is BLOCKED


def test_hosts_without_fallthrough_break_every_other_name() -> None:
    override = config_map("coredns-custom", own__override="hosts {\n 10.9.0.1 a.example\n}")
    assert asked("a.example", override).addresses == ("10.9.0.1",)
    found = asked("b.example.org", override)
    assert found.verdict is BLOCKED
    assert found.answered_by is not None
    assert "SERVFAIL" in found.answered_by.says


def test_a_configuration_that_coredns_refuses_leaves_the_answer_open() -> None:
    found = asked("example.org", custom("corp.example:53 {\n forwrd . 192.168.0.53\n}"))
    assert found.verdict is UNKNOWN
    assert found.answered_by is not None
    assert "corp.server:2 names the plugin 'forwrd'" in found.answered_by.says


def test_a_name_that_no_zone_holds_is_blamed_on_the_zone() -> None:
    found = asked(API_NAME, zone(API_ZONE, 1), link(API_ZONE, SPOKE), seen=RECORDS)
    assert found.verdict is BLOCKED
    assert found.answered_by is not None
    assert found.answered_by.kind == "PrivateDnsZone"
