"""Secrets of applications as `az ad app` and `az ad sp` print them, also without their owner."""

from typing import Any, Final

from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin

_LISTS: Final = ("passwordCredentials", "keyCredentials")


def is_secret(value: dict[str, Any]) -> bool:
    """Whether a value is one entry of a list of credentials."""
    return "keyId" in value and "endDateTime" in value


def is_application(value: dict[str, Any]) -> bool:
    """Whether a value is an application or a service principal with its credentials."""
    return "appId" in value and any(isinstance(value.get(key), list) for key in _LISTS)


def take_secret(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    _take(value, "", origin.source, origin, sink)


def take_application(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    app = str(value["appId"]).casefold()
    for key in _LISTS:
        for at, secret in enumerate(value.get(key) or ()):
            if isinstance(secret, dict):
                place = Origin(origin.source, f"{origin.locator}.{key}[{at}]")
                _take(secret, app, app, place, sink)


def _take(secret: dict[str, Any], app: str, holder: str, origin: Origin, sink: Sink) -> None:
    from sickbay.bundle.shape import flat  # noqa: PLC0415
    from sickbay.bundle.tolerant import convert  # noqa: PLC0415 - msgspec
    from sickbay.model.applications import AppSecret  # noqa: PLC0415

    name = str(secret.get("displayName") or secret.get("keyId") or "")
    # Neither the value nor its hint is of interest to anybody.
    told = {key: secret.get(key) for key in ("displayName", "endDateTime")}
    id = f"{holder}/{secret.get('keyId')}"
    body = {**told, "id": id, "name": name, "appId": app or None, "holder": holder}
    entity = convert(flat(body), AppSecret).value
    if entity is not None:
        sink.entity(entity, origin)
