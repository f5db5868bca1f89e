"""The writes of a recording, as attempts: failures before a success tell of a precondition."""

from typing import TYPE_CHECKING, Any, Final

from sickbay.model.evidence import Origin

if TYPE_CHECKING:
    from sickbay.bundle.foreign.exchanges import Exchange
    from sickbay.model.aso import Attempt

_WRITES: Final = frozenset({"PUT", "PATCH", "POST", "DELETE"})
_LONGEST: Final = 300


def attempt_of(exchange: "Exchange", origin: Origin) -> "Attempt | None":
    """The attempt that an exchange was; reading is none, and neither is polling."""
    verb, about = exchange.method.upper(), exchange.about
    if verb not in _WRITES or about is None or not exchange.status:
        return None
    from sickbay.model.aso import Attempt  # noqa: PLC0415 - a pasted text needs no decoder

    place = f"{origin.source}#{origin.locator}"
    # What is to be deleted and is not there is deleted.
    if not exchange.has_failed or exchange.is_probe:
        return Attempt(about.id, verb, place)
    code, message = _error(exchange.body)
    return Attempt(about.id, verb, place, code or f"HTTP {exchange.status}", message[:_LONGEST])


def _error(body: Any) -> tuple[str, str]:
    """Code and message of an error body; some services write them with capitals."""
    if not isinstance(body, dict):
        return "", str(body or "")
    members = {str(key).casefold(): member for key, member in body.items()}
    inner = members.get("error")
    if isinstance(inner, dict):
        members = {str(key).casefold(): member for key, member in inner.items()}
    return str(members.get("code") or ""), str(members.get("message") or "")
