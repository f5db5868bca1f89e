"""From one end to the other: every layer in order, and the object that decides."""

from typing import Any

import pytest
import routing_kit as net  # type: ignore[import-not-found]
from nsg_kit import rule  # type: ignore[import-not-found]
from reach_kit import (  # type: ignore[import-not-found]
    CLIENT,
    NODES,
    ask,
    cluster,
    deciders,
    evidence,
    layers,
    node,
    pod,
    policy,
    service,
)

from sickbay.errors import SickbayError
from sickbay.model.evidence import Gap, Reason
from sickbay.model.snapshot import Snapshot
from sickbay.network.traffic import Verdict

ALLOWED, BLOCKED, UNKNOWN = Verdict.ALLOWED, Verdict.BLOCKED, Verdict.UNKNOWN
NSG = f"{net.NETWORK}/networkSecurityGroups/guard"
APPLIANCE = "10.9.0.4"
WEB, DB = "pod/shop/web-0", "pod/shop/db-0"


def guarded(*rules: dict[str, Any]) -> list[dict[str, Any]]:
    """The network of the nodes, with a security group at its subnet."""
    group = net.resource(NSG, securityRules=list(rules))
    return [
        net.network("10.1.0.0/16"),
        net.subnet(networkSecurityGroup={"id": NSG}),
        group,
        cluster(),
    ]


def routed(*routes: dict[str, Any], **properties: Any) -> list[dict[str, Any]]:
    """The network of the nodes, with a route table at its subnet."""
    return [
        net.network("10.1.0.0/16"),
        net.subnet(table=net.TABLE),
        net.table(*routes),
        cluster(**properties),
    ]


def test_without_any_policy_pods_reach_each_other() -> None:
    assert ask(evidence(), WEB, DB, 80).verdict is ALLOWED


def test_a_layer_without_evidence_is_a_gap_and_not_a_doubt() -> None:
    found = ask(evidence(), WEB, DB, 80)
    assert any(gap.source == "Microsoft.Network" for gap in found.gaps)


def test_a_policy_that_isolates_the_target_is_named() -> None:
    found = ask(evidence(policy("deny-all")), WEB, DB, 80)
    assert (found.verdict, deciders(found)) == (BLOCKED, ["NetworkPolicy shop/deny-all"])


def test_policies_see_the_target_port_behind_a_service() -> None:
    rules = [{"ports": [{"port": 80}], "from": [{"podSelector": {"matchLabels": {"app": "web"}}}]}]
    found = ask(evidence(policy("db", "db", ingress=rules)), WEB, "svc/shop/db", 5432)
    assert (found.verdict, layers(found)[:2]) == (ALLOWED, ["service", "policies"])


def test_a_service_is_known_by_its_address() -> None:
    assert layers(ask(evidence(), WEB, "ip:10.0.0.50", 5432))[0] == "service"


def test_a_service_without_such_a_port_is_the_end_of_the_way() -> None:
    found = ask(evidence(), WEB, "svc/shop/db", 5433)
    assert (found.verdict, layers(found)) == (BLOCKED, ["service"])


def test_of_backends_that_fare_differently_the_blocked_ones_count() -> None:
    odd = pod("db-2", "10.1.0.42", node=NODES[1])
    odd["metadata"]["labels"]["stage"] = "test"
    wanted = {"podSelector": {"matchLabels": {"stage": "test"}}}
    found = ask(evidence(odd, policy("test", **wanted)), WEB, "svc/shop/db", 5432)
    assert found.verdict is BLOCKED
    assert "1 of 3 backends" in found.legs[1].decision.by[0].says


def test_without_a_port_those_that_the_target_declares_are_asked() -> None:
    assert ask(evidence(), WEB, DB).traffic == "TCP 80"


def test_ports_that_fare_differently_leave_the_answer_open() -> None:
    two = pod("api-0", "10.1.0.60", ports=[{"containerPort": 80}, {"containerPort": 443}])
    only = policy("api", "api", ingress=[{"ports": [{"port": 443}]}])
    found = ask(evidence(two, only), WEB, "pod/shop/api-0")
    assert found.verdict is UNKNOWN
    assert "blocked: TCP 80; allowed: TCP 443" in found.gaps[0].what


def test_a_pod_that_declares_nothing_is_asked_on_every_kind_of_port() -> None:
    silent = pod("api-0", "10.1.0.60", ports=[])
    found = ask(evidence(silent, policy("api", "api")), WEB, "pod/shop/api-0")
    assert (found.verdict, found.traffic) == (BLOCKED, "TCP on any port")


def test_a_broken_file_leaves_open_what_would_pass() -> None:
    whole = evidence()
    torn = Snapshot(
        [one for one in map(whole.find, whole.refs()) if one],
        gaps=[Gap("policies.json", "broke off", Reason.TRUNCATED)],
    )
    assert ask(torn, WEB, DB, 80).verdict is UNKNOWN


def test_a_security_group_stops_what_comes_from_another_node() -> None:
    snapshot = evidence(*guarded(rule("no-web", 200, "Deny Inbound", destinationPortRange="80")))
    found = ask(snapshot, WEB, DB, 80)
    assert (found.verdict, deciders(found)) == (BLOCKED, ["NetworkSecurityGroup guard/no-web"])


def test_on_one_node_no_security_group_is_met() -> None:
    snapshot = evidence(*guarded(rule("no-web", 200, "Deny Inbound", destinationPortRange="80")))
    assert ask(snapshot, WEB, "pod/shop/web-1", 80).verdict is ALLOWED


def test_a_route_to_nowhere_stops_what_leaves() -> None:
    snapshot = evidence(*routed(net.route("hole", "0.0.0.0/0", "None")))
    found = ask(snapshot, WEB, "internet")
    assert (found.verdict, deciders(found)) == (BLOCKED, ["RouteTable rt/hole"])


def test_an_appliance_that_was_not_read_leaves_the_answer_open() -> None:
    snapshot = evidence(*routed(net.route("out", "0.0.0.0/0", "VirtualAppliance", APPLIANCE)))
    assert ask(snapshot, WEB, "internet").verdict is UNKNOWN


def test_without_a_way_out_nothing_leaves() -> None:
    profile = {"networkPlugin": "azure", "outboundType": "userDefinedRouting"}
    snapshot = evidence(*routed(networkProfile=profile))
    found = ask(snapshot, WEB, "internet")
    assert (found.verdict, layers(found)[-1]) == (BLOCKED, "way out")


def test_a_public_name_resolves_before_anything_is_sent() -> None:
    assert layers(ask(evidence(), WEB, "mcr.microsoft.com"))[:2] == ["name", "policies"]


def test_the_name_of_a_service_leads_to_it() -> None:
    found = ask(evidence(), WEB, "db.shop.svc.cluster.local", 5432)
    assert layers(found)[:2] == ["name", "service"]


def test_a_service_that_does_not_exist_has_no_name() -> None:
    found = ask(evidence(), WEB, "cache.shop.svc.cluster.local", 5432)
    assert (found.verdict, layers(found)) == (BLOCKED, ["name"])


@pytest.mark.parametrize(
    ("ranges", "verdict"),
    [([], ALLOWED), (["203.0.113.0/24"], ALLOWED), (["198.51.100.0/24"], BLOCKED)],
)
def test_authorized_ranges_decide_over_a_client(ranges: list[str], verdict: Verdict) -> None:
    access = {"authorizedIPRanges": ranges}
    snapshot = evidence(cluster(apiServerAccessProfile=access))
    assert ask(snapshot, f"ip:{CLIENT}", "apiserver").verdict is verdict


def test_the_internet_is_not_in_the_ranges_but_the_client_may_be() -> None:
    access = {"authorizedIPRanges": ["203.0.113.0/24"]}
    snapshot = evidence(cluster(apiServerAccessProfile=access))
    assert ask(snapshot, "internet", "apiserver").verdict is BLOCKED
    assert ask(snapshot, "internet", "apiserver", client=CLIENT).verdict is ALLOWED


def test_the_name_of_the_api_server_is_the_api_server() -> None:
    snapshot = evidence(cluster(powerState={"code": "Stopped"}))
    found = ask(snapshot, f"ip:{CLIENT}", "prod-1.hcp.westeurope.azmk8s.io")
    assert (found.verdict, deciders(found)) == (BLOCKED, ["ManagedCluster prod"])


def test_pods_meet_policies_on_their_way_to_the_api_server() -> None:
    found = ask(evidence(policy("deny", policyTypes=["Egress"]), cluster()), WEB, "apiserver")
    assert (found.verdict, deciders(found)) == (BLOCKED, ["NetworkPolicy shop/deny"])


def test_the_api_server_comes_through_its_tunnel() -> None:
    agent = pod("konnectivity-agent-0", "10.1.0.70", namespace="kube-system")
    agent["metadata"]["labels"] = {"app": "konnectivity-agent"}
    assert layers(ask(evidence(agent), "apiserver", DB, 80))[:2] == ["tunnel", "policies"]
    agent["status"]["conditions"][0]["status"] = "False"
    assert ask(evidence(agent), "apiserver", DB, 80).verdict is BLOCKED


def balanced(**spec: Any) -> dict[str, Any]:
    spec |= {"type": "LoadBalancer", "selector": {"app": "db"}}
    made: dict[str, Any] = service("front", "10.0.0.60", **spec)
    return made


def test_the_internet_reaches_a_load_balancer() -> None:
    found = ask(evidence(balanced()), "internet", "svc/shop/front", 5432)
    assert found.verdict is ALLOWED


def test_the_internet_does_not_reach_a_service_of_the_cluster() -> None:
    found = ask(evidence(), "internet", "svc/shop/db", 5432)
    assert (found.verdict, deciders(found)) == (BLOCKED, ["Service shop/db"])


def test_a_balancer_admits_only_its_source_ranges() -> None:
    snapshot = evidence(balanced(loadBalancerSourceRanges=["198.51.100.0/24"]))
    assert ask(snapshot, f"ip:{CLIENT}", "svc/shop/front", 5432).verdict is BLOCKED


def test_a_group_of_the_subnet_stops_what_the_balancer_passes_on() -> None:
    denied = rule("closed", 200, "Deny Inbound", destinationPortRange="5432")
    snapshot = evidence(balanced(), *guarded(denied))
    found = ask(snapshot, "internet", "svc/shop/front", 5432)
    assert (found.verdict, deciders(found)) == (BLOCKED, ["NetworkSecurityGroup guard/closed"])


def test_answers_that_leave_by_an_appliance_never_arrive() -> None:
    detour = net.route("out", "0.0.0.0/0", "VirtualAppliance", APPLIANCE)
    found = ask(evidence(balanced(), *routed(detour)), "internet", "svc/shop/front", 5432)
    assert (found.verdict, layers(found)[-1]) == (BLOCKED, "way back")


def test_a_policy_behind_a_balancer_sees_the_client_only_with_local() -> None:
    block = [{"from": [{"ipBlock": {"cidr": "203.0.113.0/24"}}]}]
    only = policy("db", "db", ingress=block)
    local = evidence(balanced(externalTrafficPolicy="Local"), only)
    assert ask(local, f"ip:{CLIENT}", "svc/shop/front", 5432).verdict is ALLOWED
    hidden = evidence(balanced(), only)
    assert ask(hidden, f"ip:{CLIENT}", "svc/shop/front", 5432).verdict is UNKNOWN


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("pod/shop/wep-0", "there are db-0, db-1, web-0, web-1"),
        ("pod/other/web-0", "the evidence holds none at all"),
        ("node/x", NODES[0]),
        ("ip:10.0.0.0/8", "is no address"),
        ("what ever", "name each end as"),
        ("car/shop/web-0", "name each end as"),
        ("", "name each end as"),
    ],
)
def test_what_is_no_end_is_told_with_what_would_be(word: str, says: str) -> None:
    with pytest.raises(SickbayError, match=says):
        ask(evidence(), word, DB)


def test_a_manifest_may_leave_out_the_default_namespace() -> None:
    bare = pod("api-0", "10.1.0.60")
    del bare["metadata"]["namespace"]
    deny = policy("deny")
    del deny["metadata"]["namespace"]
    found = ask(evidence(bare, deny), WEB, "pod/default/api-0", 80)
    assert (found.verdict, deciders(found)) == (BLOCKED, ["NetworkPolicy default/deny"])


@pytest.mark.parametrize("word", ["svc/shop/db", "mcr.microsoft.com"])
def test_what_does_not_send_is_no_source(word: str) -> None:
    with pytest.raises(SickbayError, match="cannot be the source"):
        ask(evidence(), word, DB)


def test_a_node_reaches_the_pods_that_it_runs() -> None:
    snapshot = evidence(policy("deny-all"), node("extra", "10.1.0.6"))
    assert ask(snapshot, f"node/{NODES[1]}", DB, 80).verdict is ALLOWED
    assert ask(snapshot, "node/extra", DB, 80).verdict is BLOCKED
