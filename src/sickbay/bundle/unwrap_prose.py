"""Errors that programs print as prose: az, autorest, azcore, gRPC, Azure Service Operator."""

import re
from itertools import islice
from typing import Final

from sickbay.bundle.unwrap_values import Cut, quoted
from sickbay.record import NamedTuple

_MOST_MARKS: Final = 200
_LONGEST_MESSAGE: Final = 8192
_CLOSES: Final = r"\s*(?:$|[)}\];]|[;,.]{0,2}\s*(?:\n|$)|[;,]?\s+[A-Z]\w{2,30}\s?[=:])"
_VALUE: Final = (
    r"\s?[=:]\s?(?:\\*[\"'](?P<quoted>[^\"'\\\n]{2,200})\\*[\"']|(?P<bare>[A-Za-z][\w./-]{2,120}))"
)


class _Kind(NamedTuple):
    """A way to state something; a text without any of `gates` cannot hold it."""

    name: str
    gates: tuple[str, ...]
    pattern: str


# At one place the first kind wins.
_KINDS: Final = (
    _Kind(
        "wrapper",
        ("RetryClassification: ",),
        r"\bReason: (?P<bare>\w+), Severity: \w*, RetryClassification: \w*, Cause: ",
    ),
    # A condition of ASO, as YAML or as kubectl describes it: its message comes before its reason.
    _Kind("code", ("everity:",), r"\b[Rr]eason:\s+(?P<bare>[A-Z]\w+),?\s+[Ss]everity:"),
    _Kind("code", ("code = ",), r"\bcode = (?P<grpc>[A-Z]\w+)"),
    _Kind(
        "code",
        ("ode", "ODE"),
        r"(?<![\w\"'$.])(?:(?:[Ee]rror|ERROR)[ _]?(?:[Cc]ode|CODE)"
        r"|(?P<sub>SubCode|[Ii]nnerErrorCode)"
        rf"|internalErrorCode|(?<!xit )(?<!tatus )[Cc]ode){_VALUE}",
    ),
    _Kind(
        "message",
        ("essage", "ESSAGE", "desc", "Description="),
        r"(?<![\w\"'$.])(?:(?:Error ?|ERROR )?(?:Message|MESSAGE)|(?:Error )?message"
        r"|desc|Description(?==))\s?[=:]\s?",
    ),
    _Kind(
        "deeper",
        ("etail", "Error:", "InnerError", "aused by: ", "Errors:"),
        r"\b(?:Exception |Inner ?)?[Dd]etails?[:=]|\bOri?ginal ?Error:|\bInner ?[Ee]rrors?\b"
        r"|\bRawError:|\b[Cc]aused by: ",
    ),
    _Kind(
        "end",
        ("Target", "Id:", "Information", "RequestID", "AKSTeam"),
        r"\n\s*(?:Target|Activity ?Id|Additional Information|Correlation ?Id)\s*[:=]"
        r"|, RequestID: |\bAKSTeam: ",
    ),
    _Kind("whole", ("(",), r"(?:(?<![^\n\t])|(?<=: ))\((?P<bare>[A-Z][\w.]{3,100})\)[ \t]"),
    _Kind("whole", ("AADSTS",), r"\b(?P<bare>AADSTS\d{4,8}): "),
    _Kind(
        "inner",
        ("VMExtensionError_", "WINDOWS_CSE_ERROR_"),
        r"(?P<bare>(?:VMExtensionError|WINDOWS_CSE_ERROR)_\w+)'?\.\"? ",
    ),
    _Kind("whole", ("RESPONSE ",), r"\bRESPONSE \d{3}: (?P<bare>)"),
    # QuotaExceeded: …, ERROR: BadRequest - …, [AZK8S0513] …
    _Kind(
        "head",
        (": ", " - ", "] "),
        r"(?m:^)[ \t]*(?:ERROR: |[Ee]rror: )*\[?(?P<bare>[A-Z]\w{5,99})(?:[\]:]| -) (?=\S+ \S)",
    ),
)
_NO_CODES: Final = ("Code", "Message", "Id", "ID", "Time", "Name", "Status", "State", "URL", "URI")


class Pair(NamedTuple):
    """A code and a message in prose, where they stand, and how deep below the prose."""

    code: str
    message: str
    start: int
    level: int


class _Mark(NamedTuple):
    """A place where a prose states something."""

    start: int
    end: int
    kind: str
    value: str = ""
    is_nested: bool = False


def pairs(text: str) -> tuple[Pair, ...]:
    """The errors that a prose states, in the order in which it states them."""
    marks = _marks(text)
    ends = [*(mark.start for mark in marks), len(text)][1:]
    found = _Pairs(text)
    for mark, end in zip(marks, ends, strict=True):
        found.take(mark, end)
    return found.result()


def _marks(text: str) -> list[_Mark]:
    found: list[_Mark] = []
    for kind in _KINDS:
        if any(gate in text for gate in kind.gates):
            matches = re.finditer(kind.pattern, text)
            found += (_mark(kind.name, match) for match in islice(matches, _MOST_MARKS))
    chosen: list[_Mark] = []
    for mark in sorted(found, key=lambda mark: mark.start):
        is_free = not chosen or mark.start >= chosen[-1].end
        if is_free and (mark.kind != "head" or _is_code(mark.value)):
            chosen.append(mark)
    return chosen[:_MOST_MARKS]


def _mark(kind: str, match: re.Match[str]) -> _Mark:
    words = match.groupdict()
    value = next(filter(None, (words.get(key) for key in ("grpc", "quoted", "bare"))), "")
    is_nested = bool(words.get("grpc") or words.get("sub"))
    return _Mark(match.start(), match.end(), kind, value.strip().rstrip("."), is_nested)


def _is_code(word: str) -> bool:
    """Whether a word is made like a code: humps of a camel, or capitals and a number."""
    if word.endswith(_NO_CODES):
        return False
    if word[-3:].isdecimal():
        return word.isupper()
    return any(map(str.islower, word)) and any(map(str.isupper, word[2:]))


class _Pairs:
    """Collects pairs from left to right; a code and the message after it are one."""

    __slots__ = ("_done", "_level", "_text", "_within")

    def __init__(self, text: str) -> None:
        self._text = text
        self._done: list[Pair] = []
        self._level = 1
        # Ends of quoted messages that are still open: what stands inside is deeper.
        self._within: list[int] = []

    def result(self) -> tuple[Pair, ...]:
        return tuple(pair for pair in self._done if pair.code or pair.message)

    def take(self, mark: _Mark, end: int) -> None:
        while self._within and self._within[-1] <= mark.start:
            self._within.pop()
        end = min(end, self._within[-1]) if self._within else end
        if mark.kind == "deeper":
            self._level += bool(self._done)
        elif mark.kind == "code":
            self._code(mark)
        elif mark.kind == "message":
            self._message(mark, end)
        elif mark.kind == "wrapper":
            self._add(mark.value, self._between(mark.end, len(self._text)), mark.start)
            self._within.append(len(self._text))
        elif mark.kind != "end":
            self._level += mark.kind == "inner" and bool(self._done)
            self._add(mark.value, self._between(mark.end, end), mark.start)

    def _code(self, mark: _Mark) -> None:
        last = self._done[-1] if self._done else None
        if last and last.code.casefold() == mark.value.casefold():
            return
        if last and not last.code and not mark.is_nested:
            self._done[-1] = last._replace(code=mark.value)
            return
        if last and mark.is_nested:
            self._level = last.level + 1
        self._add(mark.value, "", mark.start)

    def _message(self, mark: _Mark, end: int) -> None:
        message, end = self._value(mark.end, end)
        last = self._done[-1] if self._done else None
        if last and not last.message:
            self._done[-1] = last._replace(message=message)
        elif not last or last.message.split()[:12] != message.split()[:12]:
            self._add("", message, mark.start)

    def _value(self, start: int, end: int) -> tuple[str, int]:
        opening = start
        while self._text.startswith("\\", opening):
            opening += 1
        if self._text[opening : opening + 1] not in ('"', "'"):
            return self._between(start, end), end
        limit = start + _LONGEST_MESSAGE
        if opening > start:
            close = self._text.find(self._text[start : opening + 1], opening + 1, limit)
            close = close if close >= 0 else min(limit, len(self._text))
            value = self._text[opening + 1 : close]
        else:
            value, close = quoted(self._text, start, _CLOSES, limit)
            close -= not isinstance(value, Cut)
        self._within.append(close)
        return value, close

    def _between(self, start: int, end: int) -> str:
        return self._text[start : min(end, start + _LONGEST_MESSAGE)].strip(" \t\r\n;,-")

    def _add(self, code: str, message: str, start: int) -> None:
        self._done.append(Pair(code, message, start, self._level + len(self._within)))
