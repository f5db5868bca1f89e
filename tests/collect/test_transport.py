"""What reaches Azure, and what its answers mean."""

from typing import Any

import pytest
from aiohttp import web
from arm_server import Server, serve  # type: ignore[import-not-found]

from sickbay.collect.answers import Answer, Failure
from sickbay.collect.patience import counted_for
from sickbay.collect.transport import Transport
from sickbay.model.evidence import Reason

GROUP = "/subscriptions/s/resourceGroups/rg"
VNETS = f"{GROUP}/providers/Microsoft.Network/virtualNetworks"

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def vnet(name: str) -> dict[str, Any]:
    return {"id": f"{VNETS}/{name}", "name": name, "properties": {}}


def get(server: Server, path: str) -> Answer | Failure:
    found: Answer | Failure = serve(server, lambda transport: transport.get(path, "1"))
    return found


def pages(server: Server, path: str) -> list[Answer | Failure]:
    async def every(transport: Transport) -> list[Answer | Failure]:
        return [page async for page in transport.pages(path, "1")]

    found: list[Answer | Failure] = serve(server, every)
    return found


def answering(status: int, **response: Any) -> Server:
    server = Server()

    async def answer(request: web.Request) -> web.Response:  # noqa: ARG001
        return web.Response(status=status, **response)

    server.special["/x"] = answer
    return server


def test_a_resource_is_read() -> None:
    found = get(Server(vnet("hub")), f"{VNETS}/hub")
    assert isinstance(found, Answer)
    assert found.value["name"] == "hub"


def test_a_list_is_read_to_its_last_page() -> None:
    found = pages(Server(*(vnet(f"n{at}") for at in range(5)), page=2), VNETS)
    assert [len(page.items) for page in found if isinstance(page, Answer)] == [2, 2, 1]


def test_an_empty_page_is_not_the_last() -> None:
    server = Server(vnet("hub"))

    async def first(request: web.Request) -> web.Response:  # noqa: ARG001
        return web.json_response(
            {"value": [], "nextLink": f"{server.endpoint}{VNETS}?api-version=1"}
        )

    server.special["/first"] = first
    assert [len(page.items) for page in pages(server, "/first") if isinstance(page, Answer)] == [
        0,
        1,
    ]


def test_a_list_that_leads_back_to_itself_ends() -> None:
    server = Server()

    async def loop(request: web.Request) -> web.Response:
        return web.json_response({"value": [], "nextLink": str(request.url)})

    server.special["/loop"] = loop
    *_, last = pages(server, "/loop")
    assert isinstance(last, Failure)
    assert "back to itself" in last.says


def test_a_link_to_another_host_gets_no_token() -> None:
    server = Server()

    async def away(request: web.Request) -> web.Response:  # noqa: ARG001
        return web.json_response({"value": [], "nextLink": "https://elsewhere.example/page"})

    server.special["/away"] = away
    *_, last = pages(server, "/away")
    assert isinstance(last, Failure)
    assert last.reason is Reason.REFUSED


@pytest.mark.parametrize("method", ["PUT", "POST", "PATCH", "DELETE"])
def test_nothing_can_be_written(method: str) -> None:
    server = Server(vnet("hub"))
    found = serve(server, lambda transport: transport._send(method, f"{server.endpoint}/x", {}))
    assert isinstance(found, Failure)
    assert (found.reason, server.asked) == (Reason.REFUSED, [])


def test_a_question_by_post_is_no_write() -> None:
    server = Server()
    path = "/providers/Microsoft.ResourceGraph/resources"

    async def graph(request: web.Request) -> web.Response:  # noqa: ARG001
        return web.json_response({"data": []})

    server.special[path.casefold()] = graph
    found = serve(server, lambda transport: transport.query(path, "2021-03-01", {"query": "x"}))
    assert isinstance(found, Answer)


def test_a_refusal_names_the_action_the_scope_and_the_role() -> None:
    message = (
        "The client 'a' with object id 'b' does not have authorization to perform action "
        f"'Microsoft.Network/virtualNetworks/read' over scope '{VNETS}/hub'."
    )
    body = {"error": {"code": "AuthorizationFailed", "message": message}}
    found = get(answering(403, body=_json(body), content_type="application/json"), "/x")
    assert isinstance(found, Failure)
    gap = found.gap()
    assert gap.reason is Reason.FORBIDDEN
    assert gap.to_open == (
        f'az role assignment create --role "Reader" --scope {VNETS}/hub --assignee <you>'
        "  # grants Microsoft.Network/virtualNetworks/read"
    )


@pytest.mark.parametrize(
    ("status", "reason"),
    [(404, Reason.NOT_COLLECTED), (401, Reason.FORBIDDEN), (400, Reason.REFUSED)],
)
def test_a_status_says_why(status: int, reason: Reason) -> None:
    found = get(answering(status, body=b"{}", content_type="application/json"), "/x")
    assert isinstance(found, Failure)
    assert found.reason is reason


@pytest.mark.parametrize("body", [b"<html>busy</html>", b'{"value": ['])
def test_an_answer_that_is_no_json_is_malformed(body: bytes) -> None:
    found = get(answering(200, body=body), "/x")
    assert isinstance(found, Failure)
    assert found.reason is Reason.MALFORMED


def test_the_versions_that_a_refusal_lists_are_read() -> None:
    message = (
        "No registered resource provider found for location 'westeurope' and API version '1'. "
        "The supported api-versions are '2019-01-01, 2024-05-01, 2023-02-01-preview'."
    )
    body = {"error": {"code": "NoRegisteredProviderFound", "message": message}}
    found = get(answering(400, body=_json(body), content_type="application/json"), "/x")
    assert isinstance(found, Failure)
    assert found.versions == ("2024-05-01", "2019-01-01", "2023-02-01-preview")


def test_a_busy_server_is_asked_again() -> None:
    server, calls = Server(), []

    async def busy(request: web.Request) -> web.Response:
        calls.append(request.path)
        if len(calls) == 1:
            return web.Response(status=429, headers={"Retry-After": "0"})
        return web.json_response({"id": "/x"})

    server.special["/x"] = busy
    assert isinstance(get(server, "/x"), Answer)


def test_a_server_that_does_not_answer_is_left_at_the_deadline() -> None:
    import asyncio

    server = Server()

    async def sleep(request: web.Request) -> web.Response:  # noqa: ARG001
        await asyncio.sleep(30)
        return web.Response()

    server.special["/x"] = sleep
    found = serve(server, lambda transport: transport.get("/x", "1"), seconds=0.3)
    assert isinstance(found, Failure)
    assert found.reason is Reason.UNREACHABLE


def test_what_is_signed_is_left_out_of_an_address() -> None:
    url = "https://management.azure.com/subscriptions/s/x?api-version=1&t=123&c=MII&s=sig&h=abc"
    found = get(answering(404, body=b"{}"), "/x")
    assert isinstance(found, Failure)
    assert "MII" not in found.asked._replace(url=url).path


def _json(body: Any) -> bytes:
    import json

    return json.dumps(body).encode()


@pytest.mark.parametrize(
    ("address", "subscription"),
    [
        ("https://management.azure.com/subscriptions/ABC/resourceGroups/rg?api-version=1", "abc"),
        ("/subscriptions/abc", "abc"),
        ("https://localhost:1/subscriptions/abc?api-version=1", "abc"),
        ("/providers/Microsoft.Management/managementGroups/subscriptions/x", ""),
        ("https://localhost/subscriptions", ""),
        ("https://localhost", ""),
        ("", ""),
    ],
)
def test_a_question_is_counted_for_its_subscription(address: str, subscription: str) -> None:
    assert counted_for(address) == subscription
