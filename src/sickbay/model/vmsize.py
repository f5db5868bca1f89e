"""What the name of a VM size tells: its cores, and the quota counter of its family."""

import re
from typing import Final, NamedTuple

_SIZE: Final = re.compile(
    r"standard_(?P<series>[a-z]+?)(?P<s>s(?=\d))?(?P<number>\d{1,3})(?:-(?P<active>\d{1,3}))?"
    r"(?P<features>[a-z]*)(?:_(?P<part>[a-uw-z]\w*?))?(?:_(?P<version>v\d))?$",
    re.IGNORECASE,
)
# In the second generation of D the number is a step of the series, not the cores.
_STEPS: Final = {
    "1": 1,
    "2": 2,
    "3": 4,
    "4": 8,
    "5": 16,
    "11": 2,
    "12": 4,
    "13": 8,
    "14": 16,
    "15": 20,
}


class VmSize(NamedTuple):
    """The cores of one machine, and the names that its family's counter can have."""

    cores: int
    families: tuple[str, ...]


def vm_size(name: str | None) -> VmSize | None:
    """Read the name of a size; None when it follows no scheme that is known."""
    found = _SIZE.match(name or "")
    if not found:
        return None
    series, version = found["series"].upper(), (found["version"] or "").lower()
    is_step = series == "D" and version in {"", "v2"}
    cores = _STEPS.get(found["number"], 0) if is_step else int(found["number"])
    features = found["features"].upper()
    # A machine with more memory shares the counter of its series: B2ms is of BS.
    letters = dict.fromkeys((features, features.replace("M", "")))
    premium = "S" if found["s"] else ""
    families = tuple(f"standard{series}{premium}{part}{version}Family" for part in letters)
    return VmSize(cores, families) if cores else None
