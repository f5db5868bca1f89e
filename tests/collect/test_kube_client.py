"""What reaches an API server, who asks, and what its answers mean."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from kube_server import (  # type: ignore[import-not-found]
    Api,
    Asked,
    Authority,
    Reply,
    Served,
    pod,
    serving,
    status,
)

from sickbay.collect.kube_answers import Answer, Failure
from sickbay.collect.kube_client import RULES_REVIEW, Ask, Client, RefusedError
from sickbay.collect.kube_kinds import Kind
from sickbay.collect.kube_lists import pages
from sickbay.collect.kubeconfig import access
from sickbay.model.evidence import Reason

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
PODS = Kind("", "v1", "pods", "Pod", is_namespaced=True, known="Pod")
Work = Callable[[Client], Coroutine[Any, Any, Any]]


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(Api()) as made:
        yield made


def asked(path: Path, work: Work, seconds: float = 20.0) -> Any:
    found = access(str(path))
    assert found is not None

    async def run() -> Any:
        client = Client(found, seconds)
        try:
            return await work(client)
        finally:
            client.close()

    return asyncio.run(run())


def get(path: Path, what: str = "/api/v1/pods?limit=1", **how: Any) -> Answer | Failure:
    found: Answer | Failure = asked(path, lambda client: client.get(what, **how))
    return found


def names(path: Path) -> list[str]:
    """The names of all pods, by pages."""

    async def every(client: Client) -> list[str]:
        found: list[str] = []
        async for page in pages(client, PODS):
            assert not isinstance(page, Failure), page
            found += [json.loads(bytes(raw))["metadata"]["name"] for raw in page.items]
        return found

    listed: list[str] = asked(path, every)
    return listed


def test_an_answer_is_a_body(served: Served, tmp_path: Path) -> None:
    served.api.add("pods", pod("a"))
    found = get(served.config(tmp_path))
    assert isinstance(found, Answer)
    assert b'"a"' in found.body


@pytest.mark.parametrize("method", ["PUT", "POST", "PATCH", "DELETE"])
def test_nothing_can_be_written(served: Served, tmp_path: Path, method: str) -> None:
    work: Work = lambda client: client.send(Ask("/api/v1/pods", method, b"{}"))  # noqa: E731
    with pytest.raises(RefusedError):
        asked(served.config(tmp_path), work)
    assert served.api.asked == []


def test_a_review_asks_by_post_and_is_no_write(served: Served, tmp_path: Path) -> None:
    found = asked(served.config(tmp_path), lambda c: c.review(RULES_REVIEW, {"namespace": "shop"}))
    assert isinstance(found, Answer)


def test_a_list_is_read_in_pages(served: Served, tmp_path: Path) -> None:
    served.api.add("pods", *(pod(f"p{at}") for at in range(1201)))
    assert names(served.config(tmp_path)) == [f"p{at}" for at in range(1201)]
    assert [one.query["limit"] for one in served.api.asked] == ["500"] * 3


def gone_once(go_on: str) -> Callable[[Asked], Reply | None]:
    """Forget the list once, when its third page is asked for."""
    forgot: list[str] = []

    def forget(one: Asked) -> Reply | None:
        if one.query.get("continue") != "1000" or forgot:
            return None
        forgot.append("once")
        return status(
            410, "The provided continue parameter is too old", "Expired", **{"continue": go_on}
        )

    return forget


@pytest.mark.parametrize("go_on", ["", "1000"])
def test_a_list_that_grew_too_old_goes_on_without_doubles(
    served: Served, tmp_path: Path, go_on: str
) -> None:
    served.api.add("pods", *(pod(f"p{at}") for at in range(1201)))
    served.api.special.append(gone_once(go_on))
    assert names(served.config(tmp_path)) == [f"p{at}" for at in range(1201)]


def test_a_list_that_never_stays_young_ends(served: Served, tmp_path: Path) -> None:
    served.api.special.append(lambda one: status(410, "too old") if one.query else None)

    async def last(client: Client) -> Any:
        return [page async for page in pages(client, PODS)][-1]

    assert isinstance(asked(served.config(tmp_path), last), Failure)


def test_a_busy_server_is_asked_again_when_it_says(served: Served, tmp_path: Path) -> None:
    calls: list[Asked] = []

    def busy(one: Asked) -> Reply | None:
        calls.append(one)
        busy = status(429, "Too many requests, please try again later.")
        return busy._replace(headers=(("Retry-After", "0"),)) if len(calls) < 3 else None

    served.api.special.append(busy)
    assert isinstance(get(served.config(tmp_path)), Answer)
    assert len(calls) == 3


def many(path: Path, count: int) -> list[Answer | Failure]:
    """The answers to so many questions that are asked at once."""

    async def every(client: Client) -> list[Answer | Failure]:
        return list(
            await asyncio.gather(*(client.get("/api/v1/pods?limit=1") for _ in range(count)))
        )

    found: list[Answer | Failure] = asked(path, every)
    return found


def test_a_server_with_one_place_gets_one_question_at_a_time(
    served: Served, tmp_path: Path
) -> None:
    place, refused = threading.Lock(), []

    def share(one: Asked) -> Reply | None:
        if not place.acquire(blocking=False):
            refused.append(one)
            return status(429, "Too many requests, please try again later.")
        time.sleep(0.02)
        place.release()
        return None

    served.api.special.append(share)
    found = many(served.config(tmp_path), 30)
    assert all(isinstance(one, Answer) for one in found)
    assert len(refused) <= 10


def test_a_server_that_stays_busy_is_not_asked_five_times_for_each_thing(
    served: Served, tmp_path: Path
) -> None:
    busy = status(429, "Too many requests")._replace(headers=(("Retry-After", "0"),))
    served.api.special.append(lambda _: busy)
    found = many(served.config(tmp_path), 30)
    assert {one.status for one in found if isinstance(one, Failure)} == {429}
    assert len(served.api.asked) < 50


def test_a_connection_that_breaks_midway_is_made_anew(served: Served, tmp_path: Path) -> None:
    served.api.add("pods", *(pod(f"p{at}") for at in range(700)))
    served.api.drops = 2
    assert len(names(served.config(tmp_path))) == 700


def test_a_refusal_is_one_request(served: Served, tmp_path: Path) -> None:
    served.api.forbidden.add(("", "pods"))
    found = get(served.config(tmp_path))
    assert isinstance(found, Failure)
    assert (found.status, found.reason, len(served.api.asked)) == (403, Reason.FORBIDDEN, 1)


def test_a_wrong_token_is_asked_once_and_told_as_kubectl_does(
    served: Served, tmp_path: Path
) -> None:
    found = get(served.config(tmp_path, user={"token": "wrong"}))
    assert isinstance(found, Failure)
    assert "You must be logged in to the server" in found.says
    assert len(served.api.asked) == 1


def test_the_newest_token_of_a_file_is_used(served: Served, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("good\n")
    assert isinstance(get(served.config(tmp_path, user={"tokenFile": "token"})), Answer)


OTHER_NAME = "certificate is valid for 10.9.9.9, api.contoso.example, not 127.0.0.1"
TOO_OLD = r"x509: certificate has expired or is not yet valid: current time .* is after \d"


@pytest.mark.parametrize(
    ("sans", "days", "says"),
    [(("10.9.9.9", "api.contoso.example"), 1, OTHER_NAME), (("127.0.0.1",), -1, TOO_OLD)],
)
def test_a_certificate_that_does_not_hold_is_told_as_kubectl_does(
    tmp_path: Path, sans: tuple[str, ...], days: int, says: str
) -> None:
    import re

    with serving(Api(), sans=sans, days=days) as served:
        found = get(served.config(tmp_path))
    assert isinstance(found, Failure)
    assert re.search(f"Unable to connect to the server: tls: .*{says}", found.says)


def test_another_authority_is_told(served: Served, tmp_path: Path) -> None:
    import base64

    other = base64.b64encode(Authority("other").certificate).decode()
    found = get(served.config(tmp_path, **{"certificate-authority-data": other}))
    assert isinstance(found, Failure)
    assert "x509: certificate signed by unknown authority" in found.says


def test_the_name_of_the_certificate_can_be_given(tmp_path: Path) -> None:
    with serving(Api(), sans=("api.contoso.example",)) as served:
        found = get(served.config(tmp_path, **{"tls-server-name": "api.contoso.example"}))
    assert isinstance(found, Answer)


def test_verification_can_be_left_out(tmp_path: Path) -> None:
    with serving(Api(), sans=("elsewhere.example",)) as served:
        how = {"insecure-skip-tls-verify": True, "certificate-authority-data": ""}
        assert isinstance(get(served.config(tmp_path, **how)), Answer)


def test_a_port_that_refuses_is_told_as_kubectl_does(served: Served, tmp_path: Path) -> None:
    found = get(served.config(tmp_path, server="https://127.0.0.1:1"))
    assert isinstance(found, Failure)
    assert found.says.startswith("The connection to the server 127.0.0.1:1 was refused")


def test_a_server_that_speaks_no_tls_is_told(served: Served, tmp_path: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as plain:

        def answer() -> None:
            other, _ = plain.accept()
            other.recv(10)
            other.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            other.close()

        thread = threading.Thread(target=answer)
        thread.start()
        found = get(served.config(tmp_path, server=f"https://127.0.0.1:{plain.getsockname()[1]}"))
        thread.join()
    assert isinstance(found, Failure)
    assert "server gave HTTP response to HTTPS client" in found.says


def test_a_server_that_does_not_answer_is_left_at_the_deadline(
    served: Served, tmp_path: Path
) -> None:
    release = threading.Event()

    def sleep(one: Asked) -> Reply | None:  # noqa: ARG001
        release.wait(10)
        return None

    served.api.special.append(sleep)
    work: Work = lambda client: client.get("/api/v1/pods?limit=1")  # noqa: E731
    found = asked(served.config(tmp_path), work, seconds=0.5)
    release.set()
    assert isinstance(found, Failure)
    assert found.reason is Reason.UNREACHABLE


def test_nobody_waits_for_a_thread_that_waits(served: Served, tmp_path: Path) -> None:
    release = threading.Event()
    served.api.special.append(lambda _: status(500, "late") if release.wait(10) else None)

    async def stopped(client: Client) -> None:
        task = asyncio.create_task(client.get("/api/v1/pods?limit=1"))
        await asyncio.sleep(0.3)
        task.cancel()

    before = datetime.now(UTC)
    asked(served.config(tmp_path), stopped)
    assert datetime.now(UTC) - before < timedelta(seconds=5)
    release.set()
