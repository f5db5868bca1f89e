"""How a target is found, and what is said when it is not."""

import json
from typing import Any

import pytest
from aiohttp import web
from arm_server import Server, account, running  # type: ignore[import-not-found]
from test_walk import CLUSTER, GROUP, estate, resource  # type: ignore[import-not-found]

from sickbay.app import Settings, exit_code
from sickbay.collect.azure import Azure
from sickbay.collect.target import Wanted
from sickbay.errors import Exit, SickbayError
from sickbay.live import diagnose_live
from sickbay.model.diagnosis import Diagnosis
from sickbay.model.evidence import Reason
from sickbay.report.document import document

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

GRAPH = "/providers/microsoft.resourcegraph/resources"
SECOND = f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/second"
LISTED = f"{GROUP}/resources".casefold()


def diagnosed(server: Server, wanted: Wanted) -> Diagnosis:
    with running(server):
        return diagnose_live([Azure(account(server), wanted)], wanted.scope, Settings())


def answering(path: str, status: int, body: Any, *documents: dict[str, Any]) -> Server:
    server = Server(*(documents or estate()))

    async def answer(request: web.Request) -> web.Response:
        server.bodies.append(await request.text())
        return web.json_response(body, status=status)

    server.special[path.casefold()] = answer
    return server


def test_a_cluster_is_found_by_its_api_server() -> None:
    server = answering(GRAPH, 200, {"data": [{"id": CLUSTER}], "totalRecords": 1})
    wanted = Wanted.by_server("https://prod-abc.hcp.westeurope.azmk8s.io:443")
    assert wanted is not None
    assert diagnosed(server, wanted).target.id == CLUSTER
    assert "=~ 'prod-abc.hcp.westeurope.azmk8s.io'" in json.loads(server.bodies[0])["query"]


@pytest.mark.parametrize(
    "url", ["https://10.0.0.1:6443", "https://localhost:6443", "https://[::1]", "x' or 1==1", ""]
)
def test_what_is_no_name_of_a_server_is_not_looked_for(url: str) -> None:
    assert Wanted.by_server(url) is None


def test_azure_beside_another_source_may_not_know_the_cluster() -> None:
    server = answering(GRAPH, 200, {"data": []})
    wanted = Wanted.by_server("https://k3s.example.com:6443")
    assert wanted is not None
    [gap] = diagnosed(server, wanted).gaps
    assert "no cluster in Azure has the API server k3s.example.com" in gap.what
    assert not gap.asked_for


def test_an_api_server_that_was_asked_for_must_be_known() -> None:
    server = answering(GRAPH, 200, {"data": []})
    with pytest.raises(SickbayError, match="no cluster in Azure"):
        diagnosed(server, Wanted(fqdn="k3s.example.com"))


def test_a_scope_that_may_not_be_read_is_for_the_user_to_mend() -> None:
    error = {"error": {"code": "AuthorizationFailed", "message": "no"}}
    server = answering(LISTED, 403, error)
    with pytest.raises(SickbayError, match=r'az role assignment create --role "Reader"'):
        diagnosed(server, Wanted(subscription="s", group="rg", is_all=True))


def test_a_group_that_is_not_there_is_told() -> None:
    error = {"error": {"code": "ResourceGroupNotFound", "message": "no"}}
    server = answering(LISTED, 404, error)
    with pytest.raises(SickbayError, match="is not there"):
        diagnosed(server, Wanted(subscription="s", group="rg", name="prod"))


def test_a_scope_that_nobody_could_look_through_is_never_healthy() -> None:
    server = answering(LISTED, 500, {"error": {"code": "InternalServerError", "message": "x"}})
    found = diagnosed(server, Wanted(subscription="s", group="rg", is_all=True))
    assert [gap.reason for gap in found.gaps] == [Reason.UNREACHABLE]
    assert exit_code(found) == Exit.COULD_NOT_LOOK


def test_of_several_targets_each_cause_carries_its_own() -> None:
    failed = {"provisioningState": "Failed"}
    documents = [one for one in estate() if one["id"] != CLUSTER]
    documents += [
        resource(CLUSTER, nodeResourceGroup="MC_rg", **failed),
        resource(SECOND, nodeResourceGroup="MC_two", **failed),
    ]
    listed = {"value": [{"id": CLUSTER}, {"id": SECOND}]}
    server = answering(LISTED, 200, listed, *documents)
    found = diagnosed(server, Wanted(subscription="s", group="rg", is_all=True))
    told = document(found)
    assert told["target"]["id"].casefold() == GROUP.casefold()
    about = {
        (cause["subject"]["id"], cause["target"]["id"])
        for cause in told["causes"]
        if cause["subject"]["id"] in (CLUSTER, SECOND)
    }
    assert about == {(CLUSTER, CLUSTER), (SECOND, SECOND)}
    assert exit_code(found) == Exit.SICK
