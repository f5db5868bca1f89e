"""The activity log, asked as Azure wants to be asked."""

from typing import Any

import pytest
from aiohttp import web
from arm_server import Server, serve  # type: ignore[import-not-found]

from sickbay.bundle.events import EventSink
from sickbay.collect.activity_log import Question, read_log
from sickbay.collect.transport import Transport

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

PATH = "/subscriptions/s/providers/Microsoft.Insights/eventtypes/management/values"
RESOURCE = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/loadBalancers/o'lb"


def event(number: int, **members: Any) -> dict[str, Any]:
    return {
        "eventDataId": f"id-{number}",
        "eventTimestamp": f"2026-01-01T10:{number:02}:00Z",
        "operationName": {"value": "Microsoft.Network/loadBalancers/write"},
        "status": {"value": "Failed"},
        "correlationId": "c",
        "resourceId": RESOURCE,
        **members,
    }


class Log:
    """Pages of a log, and what was asked for them."""

    def __init__(self, *pages: Any, status: int = 200) -> None:
        self.server = Server()
        self.queries: list[dict[str, str]] = []
        self._pages = pages
        self._status = status
        self.server.special[PATH.casefold()] = self._answer

    async def _answer(self, request: web.Request) -> web.Response:
        self.queries.append(dict(request.query))
        number = int(request.query.get("$skiptoken", "0"))
        body: Any = self._pages[number]
        if isinstance(body, list):
            body = {"value": body}
            if number + 1 < len(self._pages):
                body["nextLink"] = f"{self.server.endpoint}{PATH}?$skiptoken={number + 1}"
        return web.json_response(body, status=self._status)

    def read(self, question: Question) -> EventSink:
        sink = EventSink()

        async def work(transport: Transport) -> None:
            await read_log(transport, question, sink)

        serve(self.server, work)
        return sink


def question(**narrow: str) -> Question:
    return Question("s", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", **narrow)


def test_every_page_is_read_also_behind_an_empty_one() -> None:
    log = Log([event(1)], [], [event(2)])
    sink = log.read(question())
    assert [one.id for one in sink.events.values()] == ["id-1", "id-2"]
    assert sink.gaps == []


@pytest.mark.parametrize(
    ("narrow", "wanted"),
    [
        ({}, ""),
        ({"group": "rg"}, " and resourceGroupName eq 'rg'"),
        ({"group": "rg", "resource": "/s/x"}, " and resourceUri eq '/s/x'"),
        ({"group": "rg", "resource": "/s/x", "correlation": "c"}, " and correlationId eq 'c'"),
    ],
)
def test_azure_takes_one_filter_beside_the_time(narrow: dict[str, str], wanted: str) -> None:
    log = Log([])
    log.read(question(**narrow))
    span = "eventTimestamp ge '2026-01-01T00:00:00Z' and eventTimestamp le '2026-01-02T00:00:00Z'"
    assert log.queries[0]["$filter"] == span + wanted


def test_a_quote_in_a_name_stays_inside_the_filter() -> None:
    log = Log([])
    log.read(question(resource=RESOURCE))
    assert log.queries[0]["$filter"].endswith("loadBalancers/o''lb'")


def test_nobody_asks_who_exactly_called_and_from_where() -> None:
    log = Log([])
    log.read(question())
    asked = log.queries[0]["$select"].split(",")
    assert "properties" in asked
    assert not {"claims", "httpRequest", "authorization"} & set(asked)


def test_what_azure_sends_of_it_all_the_same_is_not_kept() -> None:
    sent = event(1, claims={"upn": "a@b"}, httpRequest={"clientIpAddress": "203.0.113.9"})
    [found] = Log([sent]).read(question()).events.values()
    assert not {"claims", "httpRequest"} & found.raw.keys()


def test_a_refusal_is_a_gap_with_the_role_that_would_open_it() -> None:
    says = (
        "The client 'x' does not have authorization to perform action "
        "'Microsoft.Insights/eventtypes/values/read' over scope '/subscriptions/s'."
    )
    body = {"error": {"code": "AuthorizationFailed", "message": says}}
    [gap] = Log(body, status=403).read(question()).gaps
    assert gap.reason.value == "forbidden"
    assert "az role assignment create" in gap.to_open
    assert "Microsoft.Insights/eventtypes/values/read" in gap.to_open


@pytest.mark.parametrize("body", [{"values": []}, {"value": "none"}, [[1, "x", None]]])
def test_an_answer_that_is_no_log_is_no_empty_log(body: Any) -> None:
    log = Log(body)
    sink = log.read(question())
    assert sink.events == {}
    assert bool(sink.gaps) is not isinstance(body, list)


def test_reading_ends_when_the_event_was_found() -> None:
    log = Log([event(1)], [event(2)], [event(3)])
    log.read(question(event="ID-2"))
    assert len(log.queries) == 2


def test_nothing_is_written() -> None:
    log = Log([event(1)])
    log.read(question())
    assert log.server.writes == []
