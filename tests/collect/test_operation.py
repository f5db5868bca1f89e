"""An operation, followed from the URL that `az --debug` prints."""

from typing import Any

import pytest
from aiohttp import web
from arm_server import Server, serve  # type: ignore[import-not-found]

from sickbay.collect.clouds import CLOUDS, cloud_of
from sickbay.collect.operation import Followed, Timing, checked, follow
from sickbay.collect.transport import Transport
from sickbay.errors import SickbayError
from sickbay.model.activity import Outcome

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

PATH = "/subscriptions/s/providers/Microsoft.ContainerService/locations/westeurope/operations/op1"
SIGNED = "?api-version=2016-03-30&t=638&c=MIICERT&s=SIGNATURE&h=HASH"
PUBLIC = CLOUDS["public"]


def followed(*answers: tuple[int, Any], seconds: float = 20.0) -> tuple[Followed, list[float]]:
    """Follow an operation that answers so, one after the other, the last for ever."""
    server, left, slept = Server(), list(answers), list[float]()

    async def answer(request: web.Request) -> web.Response:  # noqa: ARG001
        status, body = left.pop(0) if len(left) > 1 else left[0]
        if body is None:
            return web.Response(status=status)
        return web.json_response(body, status=status)

    async def sleep(pause: float) -> None:
        slept.append(pause)

    async def work(transport: Transport) -> Followed:
        timing = Timing(lambda: "2026-01-01T00:00:00Z", 0.5, sleep)
        return await follow(transport, f"{server.endpoint}{PATH}{SIGNED}", timing)

    server.special[PATH.casefold()] = answer
    found: Followed = serve(server, work, seconds)
    assert server.writes == []
    return found, slept


def body(status: str, **members: Any) -> tuple[int, dict[str, Any]]:
    return 200, {"name": "op1", "status": status, "startTime": "2026-01-01T00:00:00Z", **members}


def test_it_is_asked_until_it_is_over() -> None:
    found, slept = followed(
        body("InProgress"),
        body("RollingUpgradeUpgradingNodes: 1/3 nodes completed; 0 errors"),
        body("Succeeded", endTime="2026-01-01T00:09:00.5Z"),
    )
    assert found.outcome is Outcome.SUCCEEDED
    assert [status for _, status in found.history][1].startswith("RollingUpgrade")
    assert found.ended == "2026-01-01T00:09:00.500Z"
    assert len(slept) == 2


@pytest.mark.parametrize("word", ["Failed", "failed", "Canceled"])
def test_a_bad_end_is_an_end_with_its_error(word: str) -> None:
    found, _ = followed(body(word, error={"code": "QuotaExceeded", "message": "no cores"}))
    assert found.is_over
    assert "QuotaExceeded" in found.error
    assert found.gaps == ()


def test_an_error_while_it_runs_is_not_its_end() -> None:
    found, _ = followed(
        body("InProgress", error={"code": "OverlaymgrReconcileError", "message": "x"}),
        body("Succeeded", error={}),
    )
    assert (found.outcome, found.error) == (Outcome.SUCCEEDED, "")


def test_a_url_of_location_ends_with_the_resource_itself() -> None:
    resource = {"id": "/subscriptions/s", "properties": {"provisioningState": "Succeeded"}}
    found, slept = followed((202, None), (202, None), (200, resource))
    assert found.outcome is Outcome.SUCCEEDED
    assert len(slept) == 2


def test_no_content_is_an_end_too() -> None:
    assert followed((202, None), (204, None))[0].outcome is Outcome.SUCCEEDED


def test_a_resource_that_failed_is_no_success() -> None:
    found, _ = followed((200, {"properties": {"provisioningState": "Failed"}}))
    assert found.outcome is Outcome.FAILED


def test_when_the_time_is_over_it_is_told_as_not_over() -> None:
    found, _ = followed(body("InProgress"), seconds=0.4)
    assert found.outcome is Outcome.RUNNING
    assert "--timeout" in found.gaps[0].to_open
    assert found.gaps[0].asked_for


def test_an_operation_that_azure_forgot_leads_to_the_log() -> None:
    gone = {"code": "NotFound", "message": "The operation was not found."}
    found, _ = followed((404, gone))
    assert "sickbay activity" in found.gaps[0].to_open


@pytest.mark.parametrize("odd", [[1], "text", 7, {"status": {"a": 1}}, {"status": ""}, None])
def test_odd_answers_are_survived(odd: Any) -> None:
    assert followed((200, odd))[0].outcome is Outcome.SUCCEEDED


def test_what_signs_a_url_is_in_no_result() -> None:
    answers: tuple[tuple[int, Any], ...] = (
        body("Failed"),
        (202, None),
        (403, {}),
        (404, {}),
        (200, None),
    )
    for answer in answers:
        found, _ = followed(answer, seconds=1)
        shown = repr(found)
        assert "op1" in shown
        assert not [secret for secret in ("MIICERT", "SIGNATURE", "HASH") if secret in shown]


@pytest.mark.parametrize(
    ("url", "cloud"),
    [
        (f"https://management.azure.com{PATH}{SIGNED}", "public"),
        (f"https://management.azure.com:443{PATH}", "public"),
        (f"https://management.chinacloudapi.cn{PATH}", "china"),
        (PATH, "public"),
        (f"'https://management.azure.com{PATH}'", "public"),
    ],
)
def test_a_url_of_azure_is_taken_with_its_cloud(url: str, cloud: str) -> None:
    found, where = checked(url, PUBLIC)
    assert where.name == cloud
    assert found.startswith(where.endpoint)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("https://westeurope.rp.kubernetesconfiguration.azure.com/operations/1", "not sent there"),
        ("http://management.azure.com/operations/1", "not sent there"),
        ("https://management.azure.com.evil.example/operations/1", "not sent there"),
        ("https://management.azure.com/subscriptions/s", "no URL of an operation"),
        ("nonsense", "no address of a server"),
        ("https://[", "no address of a server"),
        ("", "no address of a server"),
    ],
)
def test_a_token_goes_nowhere_else(url: str, says: str) -> None:
    with pytest.raises(SickbayError, match=says):
        checked(url, PUBLIC)


def test_an_azure_of_ones_own_is_where_its_endpoint_is() -> None:
    own = cloud_of("", "https://localhost:8443")
    assert checked(f"https://localhost:8443{PATH}", own)[1] is own
