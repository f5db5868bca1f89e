"""What signatures are looked for by must be rare: each find that is not confirmed costs time."""

from collections import Counter
from pathlib import Path

import pytest

from sickbay.store import open_rules

HEALTHY = Path(__file__).parent / "healthy"
LOGS = sorted(path for path in HEALTHY.rglob("*") if path.suffix in (".log", ".txt"))
MOST = 0.05


def test_no_signature_is_looked_at_in_every_line() -> None:
    rules = open_rules()
    text = b"\n".join(path.read_bytes() for path in LOGS)
    lines = text.count(b"\n")
    assert lines > 3_000, "too little to judge by"
    finds = Counter(number for number, _ in rules.matcher.scan(text))
    total = len(list(rules.catalog.signatures()))
    often = {
        rules.catalog.signature(number)[0]: count
        for number, count in finds.items()
        if number < total and count > MOST * lines
    }
    if often:
        pytest.fail(f"common words alone are looked for (finds in {lines} lines): {often}")
