"""From a cluster over everything that a rule reads, nothing twice."""

from typing import Any

import pytest
from aiohttp import web
from arm_server import Server, serve  # type: ignore[import-not-found]

from sickbay.bundle.build import Builder, Deaf
from sickbay.collect.transport import Transport
from sickbay.collect.walk import Walk
from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import ScaleSetInstance, Subnet
from sickbay.model.evidence import Reason
from sickbay.model.routing import RouteTable
from sickbay.model.security import NetworkSecurityGroup
from sickbay.model.snapshot import Snapshot

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

GROUP = "/subscriptions/s/resourceGroups/rg"
NODES = "/subscriptions/s/resourceGroups/MC_rg"
CLUSTER = f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/prod"
VNET = f"{GROUP}/providers/Microsoft.Network/virtualNetworks/hub"
SUBNET = f"{VNET}/subnets/nodes"
NSG = f"{GROUP}/providers/Microsoft.Network/networkSecurityGroups/guard"
TABLE = f"{GROUP}/providers/Microsoft.Network/routeTables/rt"
SCALE_SET = f"{NODES}/providers/Microsoft.Compute/virtualMachineScaleSets/np"


def resource(id: str, **properties: Any) -> dict[str, Any]:
    return {
        "id": id,
        "name": id.rpartition("/")[2],
        "location": "westeurope",
        "properties": properties,
    }


def estate() -> list[dict[str, Any]]:
    subnet = resource(
        SUBNET,
        addressPrefix="10.0.0.0/24",
        networkSecurityGroup={"id": NSG},
        routeTable={"id": TABLE},
    )
    return [
        resource(CLUSTER, nodeResourceGroup="MC_rg", provisioningState="Succeeded"),
        resource(f"{CLUSTER}/agentPools/np", vnetSubnetID=SUBNET, count=1),
        resource(VNET, addressSpace={"addressPrefixes": ["10.0.0.0/16"]}, subnets=[subnet]),
        subnet,
        resource(NSG, securityRules=[], defaultSecurityRules=[]),
        resource(TABLE, routes=[]),
        resource(SCALE_SET, provisioningState="Succeeded"),
        resource(f"{SCALE_SET}/virtualMachines/0", provisioningState="Succeeded"),
    ]


def walked(server: Server, *ids: str) -> Snapshot:
    builder = Builder(Deaf())

    async def work(transport: Transport) -> None:
        await Walk(transport, builder).start(*(ids or (CLUSTER,)))

    serve(server, work)
    return builder.finish()


@pytest.mark.parametrize(
    "kind",
    [ManagedCluster, AgentPool, Subnet, NetworkSecurityGroup, RouteTable, ScaleSetInstance],
)
def test_everything_that_hangs_on_a_cluster_is_read(kind: Any) -> None:
    assert len(walked(Server(*estate())).some(kind)) == 1


def test_nothing_is_asked_twice() -> None:
    server = Server(*estate())
    walked(server)
    assert len(server.asked) == len(set(server.asked))


def test_a_list_that_was_read_to_its_end_is_known_to_be_complete() -> None:
    snapshot = walked(Server(*estate()))
    assert snapshot.has_seen(AgentPool.kind, CLUSTER)
    assert snapshot.has_seen("Microsoft.Compute/virtualMachineScaleSets", NODES)


def test_a_reference_to_nothing_is_known_to_lead_nowhere() -> None:
    documents = [one for one in estate() if one["id"] != NSG]
    assert walked(Server(*documents)).has_seen(NetworkSecurityGroup.kind, NSG)


def test_a_refusal_is_a_gap_and_the_rest_is_read() -> None:
    server = Server(*estate())

    async def refuse(request: web.Request) -> web.Response:  # noqa: ARG001
        body = {"error": {"code": "AuthorizationFailed", "message": "no"}}
        return web.json_response(body, status=403)

    server.special[TABLE.casefold()] = refuse
    snapshot = walked(server)
    assert [gap.reason for gap in snapshot.gaps if TABLE in gap.source] == [Reason.FORBIDDEN]
    assert snapshot.some(NetworkSecurityGroup)


def test_a_target_that_is_not_there_is_a_gap() -> None:
    assert any(CLUSTER in gap.source for gap in walked(Server()).gaps)


def test_nothing_is_written() -> None:
    server = Server(*estate())
    walked(server)
    assert server.writes == []
