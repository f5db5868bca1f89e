"""Kubernetes quantities (`250m` of a core, `512Mi` of memory) as numbers and as words."""

from functools import lru_cache
from typing import Final

Quantity = str | int | float

_SUFFIXES: Final = {
    "n": 1e-9,
    "u": 1e-6,
    "m": 1e-3,
    "k": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
    "P": 1e15,
    "E": 1e18,
    "Ki": 1024.0,
    "Mi": 1024.0**2,
    "Gi": 1024.0**3,
    "Ti": 1024.0**4,
    "Pi": 1024.0**5,
    "Ei": 1024.0**6,
}
_LONGEST: Final = 40


@lru_cache(maxsize=4096)
def number(quantity: Quantity | None) -> float:
    """The value of a quantity; what is none counts as nothing."""
    if quantity is None:
        return 0.0
    if isinstance(quantity, int | float):
        return float(quantity)
    text = quantity.strip()[:_LONGEST]
    for suffix in (text[-2:], text[-1:]):
        if suffix in _SUFFIXES:
            return _plain(text[: -len(suffix)]) * _SUFFIXES[suffix]
    return _plain(text)


def _plain(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return 0.0
    # A hostile "nan" would make every comparison false, and "inf" every sum.
    return value if abs(value) < float("inf") else 0.0


def cores(value: float) -> str:
    """CPU as a reader would write it: `3.86 cores`, `250m`."""
    if abs(value) < 1:
        return f"{value * 1000:.0f}m"
    return f"{value:.2f}".rstrip("0").rstrip(".") + (" core" if value == 1 else " cores")


def memory(value: float) -> str:
    """Bytes in the unit that fits: `1.5 GiB`."""
    for unit, size in (("TiB", 1024.0**4), ("GiB", 1024.0**3), ("MiB", 1024.0**2)):
        if abs(value) >= size:
            return f"{value / size:.1f}".removesuffix(".0") + f" {unit}"
    return f"{value / 1024:.0f} KiB"
