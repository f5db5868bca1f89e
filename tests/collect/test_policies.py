"""Policies are asked about once for a subscription, and only where something failed."""

from typing import Any

import pytest
from aiohttp import web
from arm_server import Server, serve  # type: ignore[import-not-found]
from test_walk import CLUSTER, estate, resource  # type: ignore[import-not-found]

from sickbay.bundle.build import Builder, Deaf
from sickbay.collect.transport import Transport
from sickbay.collect.walk import Walk
from sickbay.model.azure_policy import PolicyState
from sickbay.model.evidence import Reason
from sickbay.model.snapshot import Snapshot

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

STATES = "/subscriptions/s/providers/Microsoft.PolicyInsights/policyStates/latest/queryResults"
OTHER = f"{CLUSTER}2"
ROW = {
    "resourceId": CLUSTER,
    "policyAssignmentId": "/subscriptions/s/providers/Microsoft.Authorization/policyAssignments/a",
    "policyAssignmentName": "a",
    "policyDefinitionAction": "deny",
    "complianceState": "NonCompliant",
}


def served(state: str, **more: Any) -> Server:
    known = [one for one in estate() if one["id"] != CLUSTER]
    ids = (CLUSTER, OTHER)
    failed = [resource(id, nodeResourceGroup="MC_rg", provisioningState=state) for id in ids]
    server = Server(*known, *failed)

    async def states(request: web.Request) -> web.Response:
        assert request.query["$filter"].endswith("policyDefinitionAction eq 'deny'")
        return web.json_response({"value": [ROW], **more})

    server.special[STATES.casefold()] = states
    return server


def walked(server: Server) -> Snapshot:
    builder = Builder(Deaf())

    async def work(transport: Transport) -> None:
        await Walk(transport, builder).start(CLUSTER, OTHER)

    serve(server, work)
    return builder.finish()


def test_two_failed_clusters_of_a_subscription_ask_once() -> None:
    server = served("Failed")
    snapshot = walked(server)
    assert server.writes == [f"POST {STATES}"]
    assert sum("/policyAssignments?" in path for path in server.asked) == 1
    assert sum("/policyExemptions?" in path for path in server.asked) == 1
    assert len(snapshot.all(PolicyState, "/subscriptions/s")) == 1


def test_where_nothing_failed_nothing_is_asked() -> None:
    server = served("Succeeded")
    walked(server)
    assert server.writes == []
    assert not [path for path in server.asked if "policy" in path.casefold()]


def test_without_the_right_the_gap_names_action_scope_and_role() -> None:
    server = served("Failed")
    server.refuse(STATES)
    [gap] = [gap for gap in walked(server).gaps if gap.source == STATES]
    assert gap.reason is Reason.FORBIDDEN
    assert '"Resource Policy Contributor" --scope /subscriptions/s ' in gap.to_open
    assert gap.to_open.endswith("Microsoft.PolicyInsights/policyStates/queryResults/action")


def test_of_more_states_than_one_page_the_rest_is_a_gap() -> None:
    snapshot = walked(served("Failed", **{"@odata.nextLink": "https://management.azure.com/more"}))
    [gap] = [gap for gap in snapshot.gaps if gap.source == STATES]
    assert gap.reason is Reason.TRUNCATED
