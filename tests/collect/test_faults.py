"""Azure on a bad day: never a crash, never a false health, a gap for all that was not seen."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiohttp import web
from arm_server import Server, account, running  # type: ignore[import-not-found]
from test_walk import CLUSTER, NODES, NSG, SCALE_SET, TABLE, estate  # type: ignore[import-not-found]

from sickbay.app import Settings, exit_code
from sickbay.collect.azure import Azure
from sickbay.collect.target import Wanted
from sickbay.errors import Exit
from sickbay.live import diagnose_live
from sickbay.model.diagnosis import Certainty, Diagnosis, Health
from sickbay.model.evidence import Reason

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

Fault = Callable[[web.Request], Awaitable[web.StreamResponse]]
HTML = "<html><body><h2>Our services aren't available right now</h2></body></html>"


async def throttled(request: web.Request) -> web.Response:  # noqa: ARG001
    error = {"code": "SubscriptionRequestsThrottled", "message": "Too many requests."}
    return web.json_response({"error": error}, status=429, headers={"Retry-After": "0"})


async def throttled_without_a_word(request: web.Request) -> web.Response:  # noqa: ARG001
    return web.Response(status=429)


async def depending(request: web.Request) -> web.Response:  # noqa: ARG001
    error = {"code": "RetryableError", "message": "A retryable error occurred."}
    return web.json_response({"error": error}, status=429, headers={"Retry-After": "0"})


async def broken(request: web.Request) -> web.Response:  # noqa: ARG001
    return web.json_response({"error": {"code": "InternalServerError"}}, status=500)


async def html(request: web.Request) -> web.Response:  # noqa: ARG001
    return web.Response(status=503, text=HTML, content_type="text/html")


async def html_as_success(request: web.Request) -> web.Response:  # noqa: ARG001
    return web.Response(text=HTML, content_type="text/html")


async def cut_off(request: web.Request) -> web.Response:  # noqa: ARG001
    return web.Response(body=b'{"value": [{"id": "/subscr', content_type="application/json")


async def hung_up(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "5000"})
    await response.prepare(request)
    await response.write(b'{"value": [')
    assert request.transport is not None
    request.transport.close()
    return response


async def hung_up_at_once(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def hung_up_between_chunks(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    response.enable_chunked_encoding()
    await response.prepare(request)
    await response.write(b'{"value": []}')
    assert request.transport is not None
    request.transport.close()
    return response


async def badly_packed(request: web.Request) -> web.Response:  # noqa: ARG001
    return web.Response(body=b"\x1f\x8b\x08garbage", headers={"Content-Encoding": "gzip"})


async def too_slow_for_the_server(request: web.Request) -> web.Response:  # noqa: ARG001
    return web.Response(status=408)


SLOW = 60.0


async def slow(request: web.Request) -> web.Response:  # noqa: ARG001
    await asyncio.sleep(SLOW)
    return web.json_response({"value": []})


async def refused(request: web.Request) -> web.Response:  # noqa: ARG001
    error = {"code": "AuthorizationFailed", "message": "The client has no authorization."}
    return web.json_response({"error": error}, status=403)


async def unknown_caller(request: web.Request) -> web.Response:  # noqa: ARG001
    return web.json_response({"error": {"code": "ExpiredAuthenticationToken"}}, status=401)


async def not_json_at_all(request: web.Request) -> web.Response:  # noqa: ARG001
    return web.Response(body=b"\xff\xfe\x00garbage", content_type="application/json")


async def empty(request: web.Request) -> web.Response:  # noqa: ARG001
    return web.Response(status=200)


async def null(request: web.Request) -> web.Response:  # noqa: ARG001
    return web.json_response(None)


async def something_else(request: web.Request) -> web.Response:  # noqa: ARG001
    return web.json_response({"message": "hello"})


async def nonsense(request: web.Request) -> web.Response:  # noqa: ARG001
    return web.json_response({"value": [None, 5, {"id": 7}, {"id": "/subscriptions/"}, []]})


FAULTS: tuple[Fault, ...] = (
    throttled,
    throttled_without_a_word,
    depending,
    broken,
    html,
    html_as_success,
    cut_off,
    hung_up,
    hung_up_at_once,
    hung_up_between_chunks,
    badly_packed,
    too_slow_for_the_server,
    refused,
    unknown_caller,
    not_json_at_all,
    empty,
    null,
    something_else,
)


def held(server: Server, begun: float, seconds: float) -> bool:
    """Nothing was asked after the deadline, and no slow answer was waited for."""
    # A busy machine is late by seconds; whoever waits for an answer is late by all of its length.
    late = SLOW / 5
    is_asked_in_time = server.asked_last - begun < seconds + late
    return is_asked_in_time and time.monotonic() - begun < SLOW


def diagnosed(server: Server, seconds: float = 20.0) -> Diagnosis:
    with running(server):
        source = Azure(account(server, seconds), Wanted(CLUSTER))
        return diagnose_live([source], CLUSTER, Settings())


def failing(fault: Fault, *paths: str) -> Server:
    server = Server(*estate())
    for path in paths:
        server.special[path.casefold()] = fault
    return server


def test_the_estate_itself_is_well_and_leaves_no_gap() -> None:
    found = diagnosed(Server(*estate()))
    assert [gap for gap in found.gaps if gap.asked_for] == []
    assert found.health is Health.HEALTHY


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
@pytest.mark.parametrize("path", [CLUSTER, TABLE, f"{CLUSTER}/agentPools"])
def test_what_fails_for_good_is_one_gap_and_no_health(fault: Fault, path: str) -> None:
    found = diagnosed(failing(fault, path), seconds=8.0)
    assert path in {gap.source for gap in found.gaps if gap.asked_for}
    assert found.health is not Health.HEALTHY
    assert exit_code(found) in (Exit.COULD_NOT_LOOK, Exit.SICK)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (throttled, Reason.UNREACHABLE),
        (html, Reason.UNREACHABLE),
        (html_as_success, Reason.MALFORMED),
        (cut_off, Reason.MALFORMED),
        (hung_up, Reason.UNREACHABLE),
        (hung_up_at_once, Reason.UNREACHABLE),
        (hung_up_between_chunks, Reason.UNREACHABLE),
        (badly_packed, Reason.UNREACHABLE),
        (too_slow_for_the_server, Reason.UNREACHABLE),
        (refused, Reason.FORBIDDEN),
        (unknown_caller, Reason.FORBIDDEN),
    ],
)
def test_a_gap_says_why(fault: Fault, reason: Reason) -> None:
    found = diagnosed(failing(fault, NSG), seconds=8.0)
    assert [gap.reason for gap in found.gaps if gap.source == NSG] == [reason]


def test_the_three_things_that_too_many_requests_can_mean_are_told_apart() -> None:
    says = {
        fault: next(g.what for g in diagnosed(failing(fault, NSG), 8.0).gaps if g.source == NSG)
        for fault in (throttled, depending)
    }
    assert says[throttled].startswith("Azure has too many requests")
    assert says[depending].startswith("something that it depends on is still being changed")


@pytest.mark.parametrize(
    "fault",
    [
        throttled,
        throttled_without_a_word,
        broken,
        html,
        cut_off,
        hung_up,
        hung_up_at_once,
        hung_up_between_chunks,
        badly_packed,
        too_slow_for_the_server,
    ],
)
def test_what_fails_once_is_asked_again(fault: Fault) -> None:
    server = Server(*estate())
    left = [fault]

    async def once(request: web.Request) -> web.StreamResponse:
        if left:
            return await left.pop()(request)
        return web.json_response(server.documents[NSG.casefold()])

    server.special[NSG.casefold()] = once
    assert diagnosed(server).health is Health.HEALTHY


def test_a_refusal_names_the_right_that_would_open_it() -> None:
    [gap] = [gap for gap in diagnosed(failing(refused, TABLE)).gaps if gap.source == TABLE]
    assert '--role "Reader"' in gap.to_open
    assert f"--scope {TABLE} " in gap.to_open
    assert "Microsoft.Network/routeTables/read" in gap.to_open


def test_a_token_that_has_expired_is_a_gap_that_asks_to_sign_in() -> None:
    [gap] = [gap for gap in diagnosed(failing(unknown_caller, TABLE)).gaps if gap.source == TABLE]
    assert gap.to_open == "az login"


def test_an_answer_that_makes_no_sense_is_no_crash() -> None:
    found = diagnosed(failing(nonsense, f"{CLUSTER}/agentPools"))
    assert found.crashed == ()


def test_the_deadline_is_held_whatever_the_server_does() -> None:
    async def later(request: web.Request) -> web.Response:  # noqa: ARG001
        return web.Response(status=429, headers={"Retry-After": "20"})

    sets = f"{NODES}/providers/Microsoft.Compute/virtualMachineScaleSets"
    server = failing(slow, NSG, TABLE, sets)
    server.special[f"{CLUSTER}/agentPools".casefold()] = later
    with running(server):
        begun = time.monotonic()
        source = Azure(account(server, 2.0), Wanted(CLUSTER))
        found = diagnose_live([source], CLUSTER, Settings())
    assert held(server, begun, 2.0)
    sources = {gap.source for gap in found.gaps}
    assert {sets, f"{CLUSTER}/agentPools"} <= sources
    assert found.health is not Health.HEALTHY


# Types that somebody may not read, two of them on each bad day.
TYPES = tuple(
    "agentpools virtualmachinescalesets virtualnetworks networksecuritygroups routetables locks "
    "roleassignments usages disks values".split()
)


class BadDay(Server):  # type: ignore[misc]  # the kit of these tests has no types outside of them
    """A server that fails at random, the same way for the same seed; it knows what it refused."""

    def __init__(self, seed: int, documents: list[dict[str, Any]] | None = None) -> None:
        super().__init__(*(documents or estate()), page=1)
        self._chance = random.Random(seed)  # noqa: S311 - a seed, to be run again
        self._forbidden = set(self._chance.sample(TYPES, 2))
        self.last: dict[str, bool] = {}

    async def answer(self, request: web.Request) -> web.StreamResponse:
        is_forbidden = not self._forbidden.isdisjoint(request.path.casefold().split("/"))
        is_bad = is_forbidden or self._chance.random() < 0.4
        self.last[request.path] = not is_bad
        if is_bad:
            self.asked.append(request.path_qs)
            self.asked_last = time.monotonic()
            faults = (refused,) if is_forbidden else (*FAULTS, slow)
            return await self._chance.choice(faults)(request)
        await asyncio.sleep(self._chance.random() * 0.01)
        answer: web.StreamResponse = await super().answer(request)
        return answer


# Where the path does not tell what was asked, a gap has a name that does.
NAMES = {"values": "activity-log", "skus": "skus"}


def _told(path: str, gaps: set[str]) -> bool:
    """Whether a gap names a path."""
    name = NAMES.get(path.rpartition("/")[2])
    return path in gaps or (name is not None and any(name in gap for gap in gaps))


@pytest.mark.parametrize("seed", range(12))
def test_a_mix_of_faults_is_survived_and_told(seed: int) -> None:
    server = BadDay(seed)
    begun = time.monotonic()
    found = diagnosed(server, seconds=6.0)
    assert held(server, begun, 6.0)
    assert found.crashed == ()
    assert server.writes == []
    gaps = {gap.source for gap in found.gaps if gap.asked_for}
    assert [
        path for path, is_well in server.last.items() if not is_well and not _told(path, gaps)
    ] == []
    assert not gaps or found.health is not Health.HEALTHY


def ill() -> list[dict[str, Any]]:
    """The same estate with a machine that somebody stopped, and a table that drops everything."""
    found = {one["id"]: one for one in estate()}
    found[SCALE_SET]["tags"] = {"aks-managed-poolName": "np"}
    statuses = [{"code": "ProvisioningState/succeeded"}, {"code": "PowerState/deallocated"}]
    machine = found[f"{SCALE_SET}/virtualMachines/0"]
    machine["properties"]["instanceView"] = {"statuses": statuses}
    route = {"addressPrefix": "0.0.0.0/0", "nextHopType": "None"}
    found[TABLE]["properties"]["routes"] = [{"name": "drop", "properties": route}]
    return list(found.values())


def proven(diagnosis: Diagnosis) -> set[tuple[str, str]]:
    return {
        (cause.rule, cause.subject.key)
        for cause in diagnosis.causes
        if cause.certainty is Certainty.PROVEN
    }


@pytest.mark.parametrize("seed", range(8))
def test_a_bad_day_neither_hides_an_illness_nor_makes_one_up(seed: int) -> None:
    everything = proven(diagnosed(Server(*ill())))
    assert {rule for rule, _ in everything} == {
        "aks.node_machine_stopped",
        "network.egress_route_drops",
    }
    found = diagnosed(BadDay(seed, ill()), seconds=4.0)
    assert found.crashed == ()
    assert proven(found) <= everything
    assert found.health is not Health.HEALTHY


def test_a_write_never_leaves_whoever_asks_for_it() -> None:
    server = Server(*estate())
    found = diagnosed(server)
    assert server.writes == []
    assert found.target.id == CLUSTER
