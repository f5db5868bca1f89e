"""Clients from outside: the address of a service, and the load balancer of Azure behind it."""

from typing import Any

import pytest
from services_kit import (  # type: ignore[import-not-found]
    NODE,
    endpoint,
    object_of,
    pod,
    seen,
    service,
    service_in,
    slices,
)

from sickbay.network.exposure import Front, front

GROUP = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/mc"
BALANCER = f"{GROUP}/providers/Microsoft.Network/loadBalancers/kubernetes"
PUBLIC = f"{GROUP}/providers/Microsoft.Network/publicIPAddresses/kubernetes-a1"
INSTANCE = f"{GROUP}/providers/Microsoft.Compute/virtualMachineScaleSets/np1/virtualMachines/0"
KINDS = ("Pod", "Service", "EndpointSlice", "Node", "Microsoft.Network/loadBalancers")
NOTE = "service.beta.kubernetes.io"


def open_service(*, address: Any = "20.1.2.3", notes: Any = None, **spec: Any) -> Any:
    made = service(
        type="LoadBalancer",
        ports=[{"port": 80, "targetPort": 8080, "nodePort": 30080}],
        **spec,
    )
    made["metadata"]["annotations"] = notes or {}
    ingress = {"ingress": [{"ip": address}]} if address else {}
    return {**made, "status": {"loadBalancer": ingress}}


def rule(port: int = 80, protocol: str = "Tcp", **changes: Any) -> dict[str, Any]:
    properties = {
        "protocol": protocol,
        "frontendPort": port,
        "backendPort": port,
        "frontendIPConfiguration": {"id": f"{BALANCER}/frontendIPConfigurations/a1"},
        "backendAddressPool": {"id": f"{BALANCER}/backendAddressPools/kubernetes"},
        "probe": {"id": f"{BALANCER}/probes/a1-TCP-80"},
        **changes,
    }
    return {"name": f"a1-{protocol.upper()}-{port}", "properties": properties}


def balancer(**changes: Any) -> dict[str, Any]:
    probe = {"protocol": "Tcp", "port": 30080, **changes.pop("probe", {})}
    member = f"{INSTANCE}/networkInterfaces/nic/ipConfigurations/ip"
    properties = {
        "frontendIPConfigurations": [
            {
                "id": f"{BALANCER}/frontendIPConfigurations/a1",
                "name": "a1",
                "properties": {"publicIPAddress": {"id": PUBLIC}},
            }
        ],
        "loadBalancingRules": [rule()],
        "probes": [
            {"id": f"{BALANCER}/probes/a1-TCP-80", "name": "a1-TCP-80", "properties": probe}
        ],
        "backendAddressPools": [
            {
                "id": f"{BALANCER}/backendAddressPools/kubernetes",
                "name": "kubernetes",
                "properties": {
                    "backendIPConfigurations": [
                        {"id": one} for one in changes.pop("members", [member])
                    ]
                },
            }
        ],
        **changes,
    }
    return {"id": BALANCER, "name": "kubernetes", "properties": properties}


ADDRESS = {"id": PUBLIC, "name": "kubernetes-a1", "properties": {"ipAddress": "20.1.2.3"}}
BEHIND = (pod(), slices(endpoint()))


def met(*documents: Any, client: str = "", port: int | None = 80) -> Front:
    snapshot = seen(*documents, *BEHIND, only=KINDS)
    return front(snapshot, service_in(snapshot), port, client=client)


def judged(found: Front) -> tuple[str, str, str]:
    by = found.decision.by[0]
    return str(found.decision.verdict), f"{by.kind} {by.name}", by.says


def test_a_healthy_load_balancer_leads_to_the_pods() -> None:
    found = met(open_service(), balancer(), ADDRESS, client="0.0.0.0/0")
    assert found.decision.verdict == "allowed"
    assert found.addresses == ("20.1.2.3",)
    assert [one.address for one in found.wiring.backends] == ["10.244.1.5"]
    says = [one.says for one in found.decision.considered if one.kind == "LoadBalancer"]
    assert says == [
        "has rule a1-TCP-80 for TCP 80 at 20.1.2.3",
        "probes TCP 30080 of each node",
        "spreads over 1 members of its backend pool kubernetes",
    ]


def test_a_load_balancer_that_was_not_read_is_named() -> None:
    found = met(open_service())
    assert found.decision.verdict == "allowed"
    assert [gap.source for gap in found.decision.gaps] == ["Microsoft.Network/loadBalancers"]


@pytest.mark.parametrize(
    ("document", "verdict", "says"),
    [
        (service(), "blocked", "is of type ClusterIP, which has no address outside the cluster"),
        (
            open_service(address=None),
            "blocked",
            "waits for an address: the load balancer was not set up for it",
        ),
        (
            {**service(type="LoadBalancer", clusterIP=None), "status": {}},
            "unknown",
            "is of type LoadBalancer, with no status in evidence",
        ),
    ],
)
def test_a_service_without_an_address_is_met_nowhere(
    document: Any, verdict: str, says: str
) -> None:
    assert judged(met(document)) == (verdict, "Service shop/web", says)


def test_a_node_port_is_met_on_each_node() -> None:
    machine = object_of(
        "v1", "Node", NODE, status={"addresses": [{"type": "InternalIP", "address": "10.224.0.5"}]}
    )
    ports = [{"port": 80, "targetPort": 8080, "nodePort": 30080}]
    found = met(service(type="NodePort", ports=ports), machine)
    assert found.decision.verdict == "allowed"
    assert found.addresses == ("10.224.0.5",)


# Who is admitted.


@pytest.mark.parametrize(
    ("ranges", "client", "verdict"),
    [
        (["203.0.113.0/24"], "203.0.113.9", "allowed"),
        (["203.0.113.0/24"], "198.51.100.1", "blocked"),
        (["203.0.113.0/24"], "0.0.0.0/0", "blocked"),
        (["203.0.113.0/24"], "", "unknown"),
        (["0.0.0.0/0"], "", "allowed"),
        ([], "198.51.100.1", "allowed"),
    ],
)
@pytest.mark.parametrize("is_noted", [False, True])
def test_source_ranges_admit_or_refuse(
    ranges: list[str], client: str, verdict: str, is_noted: bool
) -> None:
    notes = {f"{NOTE}/azure-allowed-ip-ranges": ",".join(ranges)} if is_noted else {}
    spec = {} if is_noted else {"loadBalancerSourceRanges": ranges}
    found = met(open_service(notes=notes, **spec), balancer(), ADDRESS, client=client)
    assert found.decision.verdict == verdict


def test_a_service_tag_leaves_it_open() -> None:
    notes = {f"{NOTE}/azure-allowed-service-tags": "AzureFrontDoor.Backend"}
    found = met(open_service(notes=notes), balancer(), ADDRESS, client="198.51.100.1")
    assert found.decision.verdict == "unknown"


@pytest.mark.parametrize(("client", "verdict"), [("0.0.0.0/0", "blocked"), ("10.1.0.4", "allowed")])
def test_an_internal_load_balancer_is_not_met_from_the_internet(client: str, verdict: str) -> None:
    notes = {f"{NOTE}/azure-load-balancer-internal": "true"}
    found = met(open_service(address="10.224.0.9", notes=notes), client=client)
    assert found.decision.verdict == verdict


# The load balancer.

ELSEWHERE = [rule(443), rule(80, "Udp")]
LOCAL = {"externalTrafficPolicy": "Local", "healthCheckNodePort": 31000}


@pytest.mark.parametrize(
    ("spec", "changes", "says"),
    [
        (
            {},
            {"loadBalancingRules": ELSEWHERE},
            "has no rule for TCP 80 at 20.1.2.3, only UDP 80, TCP 443",
        ),
        ({}, {"loadBalancingRules": []}, "has no rule for TCP 80 at 20.1.2.3, and no other"),
        (
            {"notes": {f"{NOTE}/port_80_no_lb_rule": "true"}},
            {"loadBalancingRules": []},
            "has no rule for TCP 80 at 20.1.2.3: an annotation of the service asks for none",
        ),
        (
            {},
            {"probe": {"port": 32111}},
            "probes TCP 32111 of each node, which is no node port of the service",
        ),
        (
            LOCAL,
            {},
            "probes TCP 30080 of each node, while the nodes tell at 31000 whether they have a pod",
        ),
        ({}, {"members": []}, "has no member in its backend pool kubernetes"),
    ],
)
def test_a_load_balancer_that_lacks_something_blocks(
    spec: dict[str, Any], changes: dict[str, Any], says: str
) -> None:
    found = met(open_service(**spec), balancer(**changes), ADDRESS)
    assert judged(found) == ("blocked", "LoadBalancer kubernetes", says)


@pytest.mark.parametrize(
    ("spec", "probe"),
    [
        ({}, {"port": 10256, "protocol": "Http", "requestPath": "/healthz"}),
        (LOCAL, {"port": 31000, "protocol": "Http", "requestPath": "/healthz"}),
        ({"notes": {f"{NOTE}/port_80_health-probe_port": "9000"}}, {"port": 9000}),
    ],
    ids=["shared", "local", "asked for"],
)
def test_other_probes_are_right_as_well(spec: dict[str, Any], probe: dict[str, Any]) -> None:
    found = met(open_service(**spec), balancer(probe=probe), ADDRESS)
    assert found.decision.verdict == "allowed"
    assert not found.decision.gaps


def test_a_probe_of_a_path_asks_what_the_pods_answer() -> None:
    found = met(open_service(), balancer(probe={"protocol": "Http", "requestPath": "/"}), ADDRESS)
    assert found.decision.verdict == "allowed"
    (gap,) = found.decision.gaps
    assert gap.what == "whether the pods of shop/web answer / with 200, as the load balancer asks"


def test_an_address_that_no_frontend_has_blocks() -> None:
    other = {**ADDRESS, "properties": {"ipAddress": "20.9.9.9"}}
    assert judged(met(open_service(), balancer(), other)) == (
        "blocked",
        "LoadBalancer kubernetes",
        "has no frontend with 20.1.2.3",
    )


def test_a_frontend_whose_address_was_not_read_leaves_it_open() -> None:
    found = met(open_service(), balancer())
    assert found.decision.verdict == "unknown"
    assert found.decision.gaps[0].source == "Microsoft.Network/publicIPAddresses"


def test_a_frontend_is_known_by_the_name_of_its_service() -> None:
    document = open_service()
    document["metadata"]["uid"] = "1"
    assert met(document, balancer()).decision.verdict == "allowed"


@pytest.mark.parametrize(
    ("instance", "verdict"), [(INSTANCE, "allowed"), (f"{INSTANCE}1", "blocked")]
)
def test_traffic_that_stays_on_its_node_needs_that_node_in_the_pool(
    instance: str, verdict: str
) -> None:
    machine = object_of("v1", "Node", NODE, spec={"providerID": f"azure://{instance}"})
    probe = {"port": 31000, "protocol": "Http", "requestPath": "/healthz"}
    found = met(open_service(**LOCAL), balancer(probe=probe), ADDRESS, machine)
    assert found.decision.verdict == verdict


def test_what_lies_behind_decides_too() -> None:
    snapshot = seen(open_service(), balancer(), ADDRESS, pod(ready=False), only=KINDS)
    found = front(snapshot, service_in(snapshot), 80)
    assert judged(found)[:2] == ("blocked", "Pod shop/web-1")


def test_spelling_as_az_prints_it_is_the_same() -> None:
    flat = {"id": BALANCER, "name": "kubernetes", **balancer()["properties"]}
    flat["loadBalancingRules"] = [{"name": "r", **rule()["properties"]}]
    flat["frontendIpConfigurations"] = [
        {"name": "a1", "publicIpAddress": {"id": PUBLIC.upper().replace("/SUB", "/sub")}}
    ]
    del flat["frontendIPConfigurations"]
    found = met(open_service(), flat, {"id": PUBLIC, "ipAddress": "20.1.2.3"})
    assert found.decision.verdict == "allowed"
