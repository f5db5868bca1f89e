"""Asking a simulated Azure without a server: requests in, answers out, and a clock to turn."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from sickbay.lab.answers import Asked, Reply
from sickbay.lab.azure import Simulated
from sickbay.lab.world import World, load

ORIGIN = "https://localhost:8443"
Body = dict[str, Any]


class Clock:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, **stretch: float) -> None:
        self.now += timedelta(**stretch)


class Azure:
    """One world, asked by hand."""

    def __init__(self, world: str | World) -> None:
        self.clock = Clock()
        self.simulated = Simulated(load(world) if isinstance(world, str) else world, self.clock)
        self.id: Callable[[str], str] = self.simulated.estate.place.id

    def ask(self, method: str, path: str, body: Any = None, **query: str) -> Reply:
        given = {"api-version": "2025-05-01"} | {f"${k}": v for k, v in query.items()}
        whole = self.id(path) if path.startswith("@") else path
        headers = {"authorization": "Bearer lab"}
        return self.simulated.answer(Asked(method, whole, given, body, headers, ORIGIN))

    def get(self, path: str, **query: str) -> Body:
        reply = self.ask("GET", path, **query)
        assert reply.status == 200, reply
        found: Body = msgspec.json.decode(reply.content)
        return found

    def follow(self, link: str) -> Reply:
        """Ask for what a link of an answer names."""
        assert link.startswith(ORIGIN)
        path, _, words = link.removeprefix(ORIGIN).partition("?")
        query = dict(word.split("=", 1) for word in words.split("&"))
        headers = {"authorization": "Bearer lab"}
        return self.simulated.answer(Asked("GET", path, query, None, headers, ORIGIN))


def error_of(reply: Reply) -> Body:
    """The error of an answer, in an envelope or flat."""
    body: Body = msgspec.json.decode(reply.content)
    found: Body = body.get("error", body)
    return found


def decoded(reply: Reply) -> Body:
    body: Body = msgspec.json.decode(reply.content)
    return body
