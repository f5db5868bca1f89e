"""Work that takes longer than a second is shown on a terminal, in one line that goes away."""

from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest

from sickbay.cli.options import Progress, observer
from sickbay.cli.scaffold import RULE
from sickbay.errors import SickbayError
from sickbay.progress import Event, FileRead, Stage, ignore
from sickbay.store import Shipped, open_rules

CLEAR = "\r\x1b[K"
COMPILING = "making the rules ready; the next run need not"


class Clock:
    """Stands still unless it is moved on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def shown(*events: tuple[float, Event]) -> str:
    """What a terminal has got, of events that come so many seconds after the start."""
    terminal, clock = StringIO(), Clock()
    progress = Progress(terminal, clock)
    for after, event in events:
        clock.now = 100.0 + after
        progress(event)
    return terminal.getvalue()


def test_quick_work_is_not_shown() -> None:
    assert shown((0.1, Stage("weighing")), (0.9, FileRead("a", 1)), (0.95, Stage(""))) == ""


def test_a_stage_stays_until_it_is_over() -> None:
    assert shown((1.5, Stage("weighing"))) == f"{CLEAR}weighing"
    assert shown((1.5, Stage("weighing")), (4.0, Stage(""))) == f"{CLEAR}weighing{CLEAR}"


def test_the_same_stage_is_written_once() -> None:
    assert shown((1.5, Stage("weighing")), (3.0, Stage("weighing"))) == f"{CLEAR}weighing"


def test_files_are_counted_and_shown_at_a_pace() -> None:
    files = [(1.0 + n / 100, FileRead(f"f{n}", 1_000_000)) for n in range(3)]
    assert shown(*files) == f"{CLEAR}1 file, 1 MB: reading f0"
    assert shown(*files, (2.0, FileRead("g", 0))).endswith(f"{CLEAR}4 files, 3 MB: reading g")


def test_nothing_is_cleared_that_was_not_shown() -> None:
    assert shown((9.0, Stage(""))) == ""


def test_who_wants_no_progress_gets_none() -> None:
    assert observer(SimpleNamespace(quiet=True)) is ignore


def rules_in(folder: Path, text: str) -> Shipped:
    (folder / "mine").mkdir(parents=True)
    (folder / "mine" / "broken.py").write_text(text)
    return Shipped(str(folder), "")


@pytest.fixture
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SICKBAY_CACHE", str(tmp_path / "cache"))


@pytest.mark.usefixtures("_own_cache")
def test_compiling_the_rules_is_said_again_and_again_and_then_that_it_is_over(
    tmp_path: Path,
) -> None:
    told: list[Event] = []
    open_rules((), rules_in(tmp_path / "rules", RULE), told.append)
    assert len(told) > 2
    assert (set(told[:-1]), told[-1]) == ({Stage(COMPILING)}, Stage(""))


@pytest.mark.usefixtures("_own_cache")
def test_rules_that_are_ready_are_opened_in_silence(tmp_path: Path) -> None:
    shipped = rules_in(tmp_path / "rules", RULE)
    open_rules((), shipped)
    told: list[Event] = []
    open_rules((), shipped, told.append)
    assert told == []


@pytest.mark.usefixtures("_own_cache")
def test_a_rule_that_cannot_be_compiled_leaves_no_line_behind(tmp_path: Path) -> None:
    told: list[Event] = []
    with pytest.raises(SickbayError):
        open_rules((), rules_in(tmp_path / "rules", "RULE = ("), told.append)
    assert told[-1] == Stage("")
