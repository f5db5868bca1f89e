"""A file is read up to a bound, and what lies behind it is not passed over in silence."""

import io

from sickbay.bundle.build import Builder, Deaf
from sickbay.bundle.foreign import read
from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.intake import Evidence
from sickbay.model.evidence import Gap, Reason

YAML = b"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n"


class Long(io.BytesIO):
    """Has always more to give."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(size) or b"#"


def noted(stream: io.BytesIO) -> list[Gap]:
    found: list[Gap] = []
    Piece("big.yaml", "", lambda: stream, None, found.append).text()
    return found


def test_a_file_that_is_cut_leaves_a_gap() -> None:
    [gap] = noted(Long(YAML))
    assert (gap.source, gap.reason, gap.asked_for) == ("big.yaml", Reason.TRUNCATED, True)
    assert "64 MiB" in gap.what


def test_a_file_that_is_read_whole_leaves_none() -> None:
    assert noted(io.BytesIO(YAML)) == []


def test_the_gap_of_a_file_reaches_the_snapshot() -> None:
    builder = Builder(Deaf())
    read(Evidence("big.yaml", None, lambda: Long(YAML)), builder)
    assert [gap.reason for gap in builder.finish().gaps] == [Reason.TRUNCATED]
