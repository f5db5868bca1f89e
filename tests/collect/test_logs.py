"""The tables of a workspace are asked at their own endpoint, with a token of their own."""

import json
import time
from typing import Any

import pytest
from aiohttp import web
from arm_server import Server, Token, serve  # type: ignore[import-not-found]
from azure.core.credentials import AccessToken
from test_walk import CLUSTER, GROUP, estate, resource  # type: ignore[import-not-found]

from sickbay.bundle.build import Builder, Deaf
from sickbay.collect.answers import Failure
from sickbay.collect.azure_logs import questions
from sickbay.collect.clouds import Cloud
from sickbay.collect.transport import Transport
from sickbay.collect.walk import Walk
from sickbay.model.evidence import Reason
from sickbay.model.snapshot import Snapshot

pytestmark = pytest.mark.allow_hosts(["127.0.0.1", "::1"])

WORKSPACE = f"{GROUP}/providers/Microsoft.OperationalInsights/workspaces/logs"
QUERY = "/v1/workspaces/c0ffee/query"


class Tokens(Token):  # type: ignore[misc]  # the kit of these tests has no types outside of them
    """A token for each place, by which it can be told."""

    async def get_token(self, *scopes: str, **options: Any) -> AccessToken:  # noqa: ARG002
        return AccessToken(f"token-for-{scopes[0]}", int(time.time()) + 3600)


class Asked:
    """What the workspace was asked."""

    def __init__(self, status: int = 200) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.tokens: set[str] = set()
        self.status = status

    async def answer(self, request: web.Request) -> web.Response:
        self.bodies.append(json.loads(await request.text()))
        self.tokens.add(request.headers["Authorization"])
        if self.status != 200:
            error = {"error": {"code": "InsufficientAccessError", "message": "no"}}
            return web.json_response(error, status=self.status)
        columns = [{"name": "Message"}, {"name": "Category"}]
        table = {"name": "t", "columns": columns, "rows": [["it failed", "guard"]]}
        return web.json_response({"tables": [table]})


def walked(asked: Asked) -> tuple[Snapshot, Builder]:
    omsagent = {"config": {"logAnalyticsWorkspaceResourceID": WORKSPACE}, "enabled": True}
    documents = [one for one in estate() if one["id"] != CLUSTER]
    cluster = resource(CLUSTER, nodeResourceGroup="MC_rg", addonProfiles={"omsagent": omsagent})
    server = Server(*documents, cluster, resource(WORKSPACE, customerId="c0ffee"))
    server.special[QUERY] = asked.answer
    builder = Builder(Deaf())

    async def work(_: Transport) -> None:
        # The same server by another name is another origin.
        logs = server.endpoint.replace("127.0.0.1", "localhost")
        cloud = Cloud("test", server.endpoint, server.endpoint, logs=logs)
        async with Transport(cloud, Tokens(), seconds=20) as transport:
            await Walk(transport, builder).start(CLUSTER)

    serve(server, work)
    return builder.finish(), builder


def test_a_workspace_of_the_target_is_asked_about_the_target() -> None:
    asked = Asked()
    _, builder = walked(asked)
    assert len(asked.bodies) == len(questions([CLUSTER]))
    assert all(f"'{CLUSTER.casefold()}'" in body["query"] for body in asked.bodies)
    assert builder.texts == len(asked.bodies)


def test_a_workspace_gets_no_token_of_resource_manager() -> None:
    asked = Asked()
    walked(asked)
    [token] = asked.tokens
    assert token.startswith("Bearer token-for-http://localhost:")


def test_a_refusal_of_the_workspace_is_a_gap_with_its_role() -> None:
    snapshot, _ = walked(Asked(403))
    gaps = [gap for gap in snapshot.gaps if gap.source.startswith(WORKSPACE)]
    assert {gap.reason for gap in gaps} == {Reason.FORBIDDEN}
    assert all("Log Analytics Reader" in gap.to_open for gap in gaps)


def test_a_name_in_a_question_cannot_leave_its_quotes() -> None:
    assert all("\\'x" in one.query for one in questions(["a'x"]))


def test_the_way_to_the_tables_leads_nowhere_else() -> None:
    server = Server(*estate())

    async def work(transport: Transport) -> list[Any]:
        async with transport.beside(server.endpoint, "/query") as tables:
            return [
                await tables.query("/subscriptions/s/providers/Microsoft.X/y/z", "1", {}),
                await tables._send("PUT", f"{server.endpoint}{QUERY}", {}),
                await tables.query("https://elsewhere.example/query", "", {}),
            ]

    answers = serve(server, work)
    assert all(isinstance(one, Failure) and one.reason is Reason.REFUSED for one in answers)
    assert server.asked == []
