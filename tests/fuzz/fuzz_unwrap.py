"""Fuzzes the reading of texts: whatever the bytes, an answer within bounds, and no exception."""

from sickbay.bundle import names, records, times, unwrap

MOST_LAYERS = 200


def one_input(data: bytes) -> None:
    """What must hold for any text at all."""
    text = data.decode("utf-8", "surrogateescape")
    _layers(text)
    _normal(text)
    _records(text, data)
    names.subjects(text)
    names.words(text)
    for value in (times.time_in(text), times.time_in(text, 2026), times.normal(text)):
        assert not value or times.normal(value) == value, "a rendered time is not a time"


def seeds() -> list[bytes]:
    """Errors in errors, and the forms of log lines."""
    return [
        b'{"error":{"code":"A","message":"{\\"error\\":{\\"code\\":\\"B\\"}}"}}',
        b"(Conflict) first\nCode: Conflict\nMessage: second\nInner error: {}\n",
        b'E0116 10:00:00.000000   1 main.go:7] failed err="x: y"\n    at z\n',
        b"2026-01-01T00:00:00.123Z stdout P half\n2026-01-01T00:00:00.124Z stdout F rest\n",
        b'time="2026-01-01T00:00:00Z" level=error msg="a \\"b\\" c"\n',
        b"Jan  2 03:04:05 host kubelet[1]: <Error><Code>X</Code></Error>\n",
    ]


def _layers(text: str) -> None:
    found = unwrap.layers(text)
    assert 0 < len(found) <= MOST_LAYERS, "too many layers, or none"
    assert found[0].text == unwrap.normal(text), "the first layer is not the text"
    depths = [layer.depth for layer in found]
    assert depths == sorted(depths), "layers are not in the order of their depth"
    for layer in found:
        assert unwrap.normal(layer.text) == layer.text, "a layer is not in normal form"


def _normal(text: str) -> None:
    once = unwrap.normal(text)
    assert unwrap.normal(once) == once, "the normal form is not stable"
    once.encode("utf-8")


def _records(text: str, data: bytes) -> None:
    total = 0
    for _, record in records.split(text):
        total += len(record)
    assert total <= len(text), "records overlap"
    start, end = records.record_at(data, len(data) // 2)
    assert 0 <= start <= len(data) // 2 <= end <= len(data), "the record is elsewhere"
