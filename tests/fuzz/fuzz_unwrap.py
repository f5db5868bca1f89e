"""Fuzzes the reading of texts: whatever the bytes, an answer within bounds, and no exception.

Run it for a minute with `python tests/fuzz/fuzz_unwrap.py -max_total_time=60`.
"""

import sys

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


def main() -> None:
    """Fuzz until told to stop."""
    import atheris

    atheris.instrument_all()
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
