"""What `kubectl describe` prints of quotas and limit ranges: a table below name and namespace."""

import re
from typing import Any, Final, NamedTuple

_QUOTA: Final = r"Resource\s+Used\s+Hard\s*"
_LIMITS: Final = r"Type\s+Resource\s+Min\s+Max\s+Default Request\s+Default Limit\b.*"
_DASHES: Final = r"-+(?:\s+-+)+\s*"
_CELLS_OF_QUOTA: Final = 3
_CELLS_OF_LIMITS: Final = 6
# How the columns of a limit range are called in the object, from the third on.
_BOUNDS: Final = ("min", "max", "defaultRequest", "default")


class Bounds(NamedTuple):
    """The kind, what the table tells of it, and the line behind the table."""

    kind: str
    parts: dict[str, Any]
    end: int


def bounds_at(lines: list[str], at: int) -> Bounds | None:
    """The table that begins at a line, if it is one of these."""
    if at + 1 >= len(lines) or not re.fullmatch(_DASHES, lines[at + 1]):
        return None
    end = at + 2
    while end < len(lines) and lines[end].strip():
        end += 1
    cells = [line.split() for line in lines[at + 2 : end]]
    if re.fullmatch(_QUOTA, lines[at]):
        told = [one for one in cells if len(one) == _CELLS_OF_QUOTA]
        hard, used = {one[0]: one[2] for one in told}, {one[0]: one[1] for one in told}
        return Bounds("ResourceQuota", {"status": {"hard": hard, "used": used}}, end)
    if re.fullmatch(_LIMITS, lines[at]):
        told = [one for one in cells if len(one) >= _CELLS_OF_LIMITS]
        return Bounds("LimitRange", {"spec": {"limits": [_limit(one) for one in told]}}, end)
    return None


def _limit(cells: list[str]) -> dict[str, Any]:
    """One row: the bounds of one resource for one type of thing."""
    named = zip(_BOUNDS, cells[2:], strict=False)
    return {"type": cells[0], **{key: {cells[1]: cell} for key, cell in named if cell != "-"}}
