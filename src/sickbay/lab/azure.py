"""Azure, as far as it can be asked: who signs in, what is refused, what is read and written."""

import re
from typing import Any, Final

from sickbay.lab.answers import (
    HTML,
    Asked,
    Problem,
    Reply,
    bad_gateway,
    bad_version,
    forbidden,
    no_version,
    throttled,
    unauthenticated,
    wrong_version,
)
from sickbay.lab.console import stored
from sickbay.lab.entra import is_missing_token, signs_in
from sickbay.lab.estate import Estate
from sickbay.lab.place import Clock, guid, now
from sickbay.lab.reading import is_collection, read
from sickbay.lab.tables import special
from sickbay.lab.workspace import queried
from sickbay.lab.world import World
from sickbay.lab.writing import write
from sickbay.model.ids import arm_type

_VERSION: Final = r"\d{4}-\d\d-\d\d(-\w*preview)?"
_KNOWN: Final = ("2025-05-01", "2024-07-01", "2021-04-01")
_READS: Final = 11_999


class Simulated:
    """One world that answers; it does no I/O, and knows the time only by the clock it is given."""

    def __init__(self, world: World, clock: Clock = now, speed: float = 1.0) -> None:
        self.estate = Estate(world, clock, speed)
        self._left: dict[int, int] = {}
        self._count = 0

    def answer(self, asked: Asked) -> Reply:
        """What Azure says to one request."""
        estate = self.estate
        estate.settle()
        self._count += 1
        reply = (
            signs_in(asked, estate.place, estate.now, estate.world.sign_in)
            or stored(estate, asked)
            or queried(estate, asked)
            or self._managed(asked)
        )
        return reply._replace(headers={**self._headers(asked), **reply.headers})

    def _managed(self, asked: Asked) -> Reply:
        estate = self.estate
        if is_missing_token(asked):
            return unauthenticated(asked.origin, estate.place.tenant).reply()
        problem = self._version(asked) or self._forbidden(asked)
        if problem is not None:
            return problem.reply()
        trouble = self._trouble(asked)
        if trouble is not None:
            return trouble
        return special(estate, asked) or _HANDLERS.get(asked.method, write)(estate, asked)

    def _version(self, asked: Asked) -> Problem | None:
        if not asked.version:
            return no_version()
        if not re.fullmatch(_VERSION, asked.version):
            return bad_version(asked.version, _KNOWN)
        type = _type(asked)
        for name, versions in self.estate.world.versions.items():
            if name.casefold() == type and asked.version not in versions:
                place = self.estate.place.location
                return wrong_version(_item(asked), asked.version, tuple(versions), place)
        return None

    def _forbidden(self, asked: Asked) -> Problem | None:
        type = _type(asked)
        if type not in (name.casefold() for name in self.estate.world.forbid):
            return None
        verb = "read" if asked.method in ("GET", "HEAD", "POST") else "write"
        return forbidden(asked.id, f"{arm_type(_item(asked))}/{verb}")

    def _trouble(self, asked: Asked) -> Reply | None:
        """What goes wrong on the way to an answer, the first so many times."""
        for number, rule in enumerate(self.estate.world.trouble):
            if str(rule.get("at", "")).casefold() not in asked.key:
                continue
            left = self._left.setdefault(number, int(rule.get("times", 1)))
            if left > 0:
                self._left[number] = left - 1
                return self._troubled(asked, rule)
        return None

    def _troubled(self, asked: Asked, rule: Any) -> Reply | None:
        kind, subscription = rule.get("kind", "throttled"), self.estate.place.subscription
        if kind == "throttled":
            after = rule.get("after")
            return throttled(asked, subscription, None if after is None else int(after)).reply()
        if kind == "html":
            return Reply(503, HTML, {"x-ms-failure-cause": "service"}, is_html=True)
        if kind == "gateway":
            return bad_gateway(asked.id).reply()
        if kind == "timeout":
            message = "The gateway did not receive a response from "
            message += f"'{_type(asked).partition('/')[0]}' within the specified time period."
            return Problem(504, "GatewayTimeout", message).reply()
        if kind == "cut":
            whole = read(self.estate, asked).content
            return Reply(200, whole[: len(whole) // 2], {"x-lab-cut": "1"})
        return None

    def _headers(self, asked: Asked) -> dict[str, str]:
        words = {"GET": "global-reads", "HEAD": "global-reads", "DELETE": "global-deletes"}
        kind = words.get(asked.method, "global-writes")
        request = guid("request", str(self._count), asked.path)
        return {
            "x-ms-request-id": request,
            "x-ms-correlation-request-id": guid("correlation", request),
            "x-ms-routing-request-id": f"{self.estate.place.location.upper()}:{request}",
            f"x-ms-ratelimit-remaining-subscription-{kind}": str(_READS),
        }


def _is_there(estate: Estate, asked: Asked) -> Reply:
    """Only whether it is there, as Resource Manager says it."""
    return Reply(204) if asked.id in estate.store else Reply(404)


_HANDLERS: Final = {"GET": read, "HEAD": _is_there}


def _item(asked: Asked) -> str:
    return f"{asked.id}/x" if is_collection(asked.id) else asked.id


def _type(asked: Asked) -> str:
    return arm_type(_item(asked)).casefold()
