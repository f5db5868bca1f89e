"""A log of JSON lines is heard as a log; documents one behind the other are not."""

import json

import pytest

from sickbay.bundle.foreign import READERS
from sickbay.bundle.foreign.json_log import READER
from sickbay.bundle.foreign.piece import Piece


def piece(*lines: object) -> Piece:
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    return Piece("x.log", text, open)  # type: ignore[arg-type]  # its head is all that is asked


@pytest.mark.parametrize(
    "line",
    [
        {"level": "info", "ts": 1763280.5, "msg": "allowed"},
        {"Message": "sent", "LogLevel": "Information", "AgentTimestamp": "2026-11-16T08:00:00Z"},
        {"@t": "2026-11-16T08:00:00Z", "@mt": "HTTP {Method}", "Method": "GET"},
        {"time": "2026-11-16T08:00:00Z", "message": "x", "code": "NotFound"},
    ],
)
def test_lines_that_say_something_at_some_time_are_a_log(line: dict[str, object]) -> None:
    assert READER.matches(piece(line, line, line))


@pytest.mark.parametrize(
    "line",
    [
        {"kind": "Pod", "apiVersion": "v1", "message": "x", "time": "y"},
        {"id": "/subscriptions/1", "message": "x", "timestamp": "y"},
        {"method": "PUT", "url": "https://management.azure.com/", "status": 201},
    ],
)
def test_documents_are_none(line: dict[str, object]) -> None:
    assert not READER.matches(piece(line, line))


def test_one_line_alone_is_a_document() -> None:
    assert not READER.matches(piece({"level": "info", "ts": 1763280.5, "msg": "allowed"}))


def test_it_is_asked_before_the_reader_of_documents() -> None:
    assert list(READERS).index("json_log") < list(READERS).index("structured")
