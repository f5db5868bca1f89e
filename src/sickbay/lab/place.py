"""Where and when a simulated Azure is: its subscription, its region, its clock, and its ids."""

import re
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sickbay.record import NamedTuple

Clock = Callable[[], datetime]

SUBSCRIPTION: Final = "5b1c7c3e-0f0a-4a39-9c41-6a6f2a0c9d11"
TENANT: Final = "7d3e2f10-52a8-4c0e-8a55-1f6f4a3b2c90"
LOCATION: Final = "westeurope"
_NAMES: Final = uuid.UUID("2f1a9d66-5c1e-4b0f-9a53-0c4f6f2f7a10")
_SHORT: Final = r"\{@([^{}]+)\}"
_AGO: Final = r"\{([+-]\d+)([smhd])\}"
_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def now() -> datetime:
    """The time of this machine."""
    return datetime.now(UTC)


class Place(NamedTuple):
    """What short ids and relative times in a world are relative to."""

    start: datetime
    subscription: str = SUBSCRIPTION
    tenant: str = TENANT
    location: str = LOCATION

    def id(self, short: str) -> str:
        """The whole id of `group/Type/name`, of a `group`, or of `/Type/name` above all groups."""
        group, _, rest = short.removeprefix("@").partition("/")
        scope = f"/subscriptions/{self.subscription}"
        if group:
            scope += f"/resourceGroups/{group}"
        return f"{scope}/providers/{rest}" if rest else scope

    def filled(self, value: Any) -> Any:
        """A value of a world with its short ids and relative times written out."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, dict):
            return {self._text(key): self.filled(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.filled(inner) for inner in value]
        return value

    def _text(self, text: str) -> str:
        if text.startswith("@"):
            return self.id(text)
        if "{" not in text:
            return text
        text = re.sub(_SHORT, lambda found: self.id(found[1]), text)
        return re.sub(_AGO, lambda found: stamp(self.start + span(found[0])), text)


def span(text: str) -> timedelta:
    """A stretch of time: `35m`, `{-2d}`."""
    found = re.fullmatch(r"\{?([+-]?\d+)([smhd])\}?", text)
    if found is None:
        raise ValueError(f"{text} is no stretch of time: use 30s, 5m, 2h or 1d")
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


def stamp(moment: datetime) -> str:
    """A time as Azure writes it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f0Z")


def guid(*words: str) -> str:
    """A GUID that is always the same for the same words."""
    return str(uuid.uuid5(_NAMES, "/".join(words).casefold()))
