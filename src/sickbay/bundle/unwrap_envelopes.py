"""What an object says of an error: its code and its message, in the envelopes that there are."""

from collections.abc import Iterator, Mapping
from typing import Final

from sickbay.bundle.unwrap_values import Cut
from sickbay.record import NamedTuple

_CODES: Final = ("code", "errorcode", "internalerrorcode", "innererrorcode", "subcode")
_MESSAGES: Final = (
    "message",
    "errormessage",
    "errordescription",
    "detailedstatusmessage",
    "statusmessage",
    "msg",
    "errorresponse",
    "errordetails",
    "detail",
    "details",
    "description",
    "displaystatus",
    "error",
    "err",
)
# Under these a plain sentence is an error of its own, and a code without a message counts.
_ERROR_KEYS: Final = frozenset(
    {"error", "errors", "err", "innererror", "innererrors", "lasterror", "provisioningerror"}
    | {"errormessage", "errormessages", "errordescription", "errordetail", "errordetails"}
    | {"detail", "details", "cause", "causes", "stderr", "stacktrace", "failure", "failures"}
    | {"exception", "innerexception", "violations", "validationerrors", "agenterrors"}
)
_NO_ERRORS: Final = frozenset({"", "0", "none", "ok", "success", "succeeded"})
_NOTHING: Final = frozenset({"", "none", "null", "nil", "<nil>", "true", "false", "(none)"})
_FOLD: Final = str.maketrans("", "", "_- ")


_POLICY_FIELDS: Final = (
    "policyassignmentdisplayname",
    "policyassignmentid",
    "policydefinitiondisplayname",
    "policydefinitionid",
    "policydefinitioneffect",
)


class Envelope(NamedTuple):
    """An error as an object states it; `member` is the key of its message."""

    code: str
    message: str
    member: str = ""


def envelope(value: Mapping[str, object], key: str) -> Envelope | None:
    """The error that an object states under a key of its parent, if it states one."""
    fields: dict[str, str] = {}
    for name in value:
        fields.setdefault(_folded(name), name)
    if policy := _policy(value, fields):
        return Envelope("PolicyViolation", policy)
    if "exitcode" in fields:
        return _ended(value, fields)
    code = _code(value, fields)
    member = _message_member(value, fields)
    if member:
        return Envelope(code, _sentence(value[member]), member)
    is_error = code.casefold() not in _NO_ERRORS and (not key or is_error_key(key))
    return Envelope(code, "") if is_error else None


def is_error_key(key: str) -> bool:
    """Whether a plain sentence under this key is an error of its own."""
    return _folded(key) in _ERROR_KEYS


def says_something(value: str) -> bool:
    """Whether a value is more than a way to say nothing, or the address of a Go pointer."""
    return value.casefold() not in _NOTHING and not value.startswith("(*")


def _folded(key: str) -> str:
    return key.translate(_FOLD).casefold()


def _code(value: Mapping[str, object], fields: Mapping[str, str]) -> str:
    found = next(_words(value, fields, _CODES), "")
    reason = next(_words(value, fields, ("reason", "detailedstatus")), "")
    if reason and (not found or found.isdecimal()):
        return reason
    if not found and "errordescription" in fields:
        return next(_words(value, fields, ("error",)), "")
    if not found and "recommendation" in fields:
        return next(_words(value, fields, ("name",)), "")
    return found


def _message_member(value: Mapping[str, object], fields: Mapping[str, str]) -> str:
    wanted = (*_MESSAGES, *(folded for folded in fields if folded.endswith("message")))
    names = (fields[folded] for folded in wanted if folded in fields)
    return next((name for name in names if _sentence(value[name])), "")


def _sentence(value: object) -> str:
    """A message, also when it is wrapped in its language as OData does."""
    if isinstance(value, dict) and set(value) <= {"lang", "value"}:
        value = value.get("value")
    return value if isinstance(value, str) else ""


def _ended(value: Mapping[str, object], fields: Mapping[str, str]) -> Envelope | None:
    """How a process ended: a node's bootstrap script, or a container."""
    code = next(_words(value, fields, ("exitcode",)), "")
    if code == "0" or not code:
        return None
    reason = next(_words(value, fields, ("reason",)), "")
    said = "\n".join(_words(value, fields, ("output", "error", "message")))
    if reason:
        return Envelope(reason, f"exit code {code} {said}", fields.get("message", ""))
    return Envelope(f"ExitCode={code}", said, fields.get("output", ""))


def _policy(value: Mapping[str, object], fields: Mapping[str, str]) -> str:
    if "policyassignment" in fields and "policydefinition" in fields:
        return _policy_sentence(
            assignment=_named(value[fields["policyassignment"]]),
            definition=_named(value[fields["policydefinition"]]),
            effect="",
        )
    if "policyassignmentid" not in fields:
        return ""
    words = dict(zip(_POLICY_FIELDS, _each(value, fields, _POLICY_FIELDS), strict=True))
    names = [
        " ".join(filter(None, (words[f"policy{kind}displayname"], words[f"policy{kind}id"])))
        for kind in ("assignment", "definition")
    ]
    return _policy_sentence(names[0], names[1], words["policydefinitioneffect"])


def _policy_sentence(assignment: str, definition: str, effect: str) -> str:
    parts = (
        assignment and f"assignment {assignment}",
        definition and f"definition {definition}",
        effect and f"effect {effect}",
    )
    return ", ".join(part for part in parts if part)


def _named(value: object) -> str:
    if not isinstance(value, dict):
        return value if isinstance(value, str) else ""
    return " ".join(text for text in (value.get("name"), value.get("id")) if isinstance(text, str))


def _words(
    value: Mapping[str, object], fields: Mapping[str, str], wanted: tuple[str, ...]
) -> Iterator[str]:
    """The complete words under the wanted fields; one that broke off would name something else."""
    for text in _each(value, fields, wanted):
        if text and not (isinstance(text, Cut) and " " not in text):
            yield text


def _each(
    value: Mapping[str, object], fields: Mapping[str, str], wanted: tuple[str, ...]
) -> Iterator[str]:
    for folded in wanted:
        found = value.get(fields.get(folded, ""))
        yield found if isinstance(found, str) else ""
