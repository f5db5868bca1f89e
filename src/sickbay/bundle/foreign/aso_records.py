"""Records of the log of Azure Service Operator, in each format that it has had.

Four writers: a logger for tests (`I2025-05-25T21:13:41Z] cache_redis "msg"="…"`), klogr up to v2.9
(`"msg"="…" "logger"="…"`), klog after it (`"…" err="…" logger="…"`), and zap as JSON.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from sickbay.record import NamedTuple

# One line for each attempt that failed; the older ones stand beside it in some versions.
FAILED: Final = "Encountered error impacting Ready condition"
ALSO_FAILED: Final = (
    "Error during Delete",
    "Resource creation failure",
    "Resource creation/update failure",
    "Resource deletion failure",
)
SENT: Final = "Successfully sent resource to Azure"
_DELETED: Final = "Delete succeeded, removing finalizer"
_DELETING: Final = "Starting delete of resource"
_CREDENTIAL: Final = "Using credential from "
MARKS: Final = (FAILED, *ALSO_FAILED, SENT, _DELETED, _DELETING, _CREDENTIAL)
_OF_DELETION: Final = r"DELETE https://|Reason: \w*Delet|Cannot delete"
_HEADER: Final = r"(?:\[pod/\S{1,300}\] )?(?:\d{4}-\d\d-\d\dT[\d:.]+Z )?(?:[IWEFD]\d{4}[ -]|\{\")"
_CAUSE: Final = (
    r"Reason: ([^,\n]{1,100}), Severity: (?:Error|Warning|Info), RetryClassification: \w+, "
    r"Cause: (.*)"
)
_CODE: Final = r"ERROR CODE: ([A-Za-z][\w .]{0,80})"
_TOLD: Final = r"[\"']message[\"']: ?[\"']"
_FIELD: Final = r"(?<![\w.])[\"']?({})[\"']?[=:] ?[\"']([^\"'\s]{{1,253}})[\"']"
_LOGGER: Final = r"\] (?P<first>[a-z0-9.]{1,60}_[a-z0-9]{1,80}|controllers[./]\w{1,80}) "
_TAKEN_FROM: Final = r"Using credential from [\"']([^\"'\s]{1,520})[\"']"
_LONGEST_RECORD: Final = 32_768
_MOST_LINES: Final = 80
_LONGEST_MESSAGE: Final = 400


class Step(NamedTuple):
    """One answer in the life of an object.

    Without a code it was accepted; sent without a failure after it means success. `secret` is
    said when the step only tells which credential is used.
    """

    target: str
    verb: str
    code: str
    message: str
    line: int
    head: str = ""
    secret: str = ""
    # A line that other versions write beside another one about the same failure.
    is_double: bool = False
    # From here on it is to be deleted.
    begins_deletion: bool = False


def steps(lines: Iterable[str]) -> Iterator[Step]:
    """The steps that a log tells, in order."""
    for number, record in _records(lines):
        step = _step(record, number)
        if step:
            yield step


def _records(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The records that hold a mark, each with the line in which it begins."""
    kept: list[str] = []
    start = size = 0
    for number, line in enumerate(lines, 1):
        if re.match(_HEADER, line):
            if kept and _is_marked(kept):
                yield start, "\n".join(kept)
            kept, start, size = [line], number, len(line)
        elif kept and len(kept) < _MOST_LINES and size < _LONGEST_RECORD:
            kept.append(line)
            size += len(line)
    if kept and _is_marked(kept):
        yield start, "\n".join(kept)


def _is_marked(lines: list[str]) -> bool:
    """Whether the message of a record is one of ours; it stands in the first line."""
    return any(mark in lines[0] for mark in MARKS)


def _step(record: str, line: int) -> Step | None:
    fields = _of_json(record) or _of_text(record)
    name, space, kind = fields["name"], fields["namespace"], kind_of(fields["logger"])
    mark = next((mark for mark in MARKS if mark in fields["msg"]), "")
    if not name or not mark or not (kind := fields["kind"].casefold() or kind):
        return None
    target = f"{kind}/{space}/{name}"
    head = record[:200]
    if mark == _CREDENTIAL:
        found = re.search(_TAKEN_FROM, fields["msg"])
        return Step(target, "", "", "", line, head, secret=found[1]) if found else None
    verb = "deletion" if "elet" in mark or re.search(_OF_DELETION, record) else "reconciliation"
    if mark in (SENT, _DELETED, _DELETING):
        # The recorder of events repeats what the reconciler has just said.
        is_repeated = bool(fields["kind"])
        begins = mark == _DELETING
        return (
            None if is_repeated else Step(target, verb, "", "", line, head, begins_deletion=begins)
        )
    code, message = cause_in(fields["error"] or record)
    return Step(target, verb, code, message, line, head, is_double=mark != FAILED)


def cause_in(text: str) -> tuple[str, str]:
    """Code and message of a failure, as ASO or as the client of Azure writes them."""
    plain = text.replace('\\"', "'").replace("\\n", "\n")
    if found := re.search(_CAUSE, plain):
        return found[1], found[2].rstrip("'\"")[:_LONGEST_MESSAGE]
    code, told = re.search(_CODE, plain), re.search(_TOLD, plain)
    message = plain[told.end() :][:_LONGEST_MESSAGE].partition("\n")[0] if told else ""
    return (code[1].strip() if code else "Failed"), message.rstrip("'\", ")


def kind_of(logger: str) -> str:
    """The kind in the name of a logger: `cache_redis`, or `controllers.RedisController`."""
    if logger.startswith("controllers"):
        word = logger.removeprefix("controllers").lstrip("./")
        return word.removesuffix("Controller").casefold()
    return logger.rpartition("_")[2] if "_" in logger else ""


def _of_json(record: str) -> dict[str, str]:
    at = record.find('{"')
    if at < 0 or re.match(r"[IWEFD]\d{4}", record):
        return {}
    try:
        value = json.loads(record[at:])
    except (ValueError, RecursionError):
        return {}
    thing = value.get("object")
    known = {**value, **(thing if isinstance(thing, dict) else {"kind": ""})}
    known["error"] = value.get("error") or value.get("err")
    return {
        key: _word(known.get(key))
        for key in ("msg", "error", "name", "namespace", "logger", "kind")
    }


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _of_text(record: str) -> dict[str, str]:
    """The fields of a line; quotes inside a value are escaped, except by the logger for tests."""
    plain = record.replace('\\"', "'")
    first, _, rest = plain.partition("\n")
    # What a long error quotes has fields, too: our own stand before it or behind it.
    tail = rest[-2000:] if rest else ""
    told = {key: _field(key, first) or _field(key, tail) for key in ("name", "namespace", "logger")}
    logger = re.search(_LOGGER, first)
    thing = re.search(r"\"?object\"?=\{(.{1,1000})", first)
    known = {"kind": ""}
    if thing:
        known = {key: _field(key, thing[1]) for key in ("kind", "name", "namespace")}
    if not told["logger"] and logger:
        told["logger"] = logger["first"]
    return {"msg": first, "error": "", **told, **known}


def _field(key: str, text: str) -> str:
    found = re.findall(_FIELD.format(key), text)
    return str(found[-1][1]) if found else ""
