"""The incidents, what is expected of them, and how one is diagnosed in part or as a whole."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree
from typing import Any, Final

import yaml

from sickbay.app import Settings, diagnose_saved
from sickbay.model.diagnosis import Cause, Diagnosis

INCIDENTS: Final = Path(__file__).parent
HEALTHY: Final = INCIDENTS.parent / "healthy"
DEMO: Final = INCIDENTS.parent.parent / "src" / "sickbay" / "demo"
LISTS: Final = ("explains", "ruled_out", "not_causes", "also", "candidates", "gaps")


def names(folder: Path) -> list[str]:
    return sorted(path.parent.name for path in folder.glob("*/evidence"))


def expected(name: str) -> dict[str, Any]:
    wanted = yaml.safe_load((INCIDENTS / name / "expected.yaml").read_text(encoding="utf-8"))
    return {**{key: [] for key in LISTS}, "asks": "", **wanted}


def diagnosed(folder: Path) -> Diagnosis:
    """Diagnose a folder under a name that holds no path of this machine."""
    with _inside(folder.parent):
        return diagnose_saved(folder.name, Settings())


def without(name: str, parts: list[str], at: Path) -> Diagnosis:
    """Diagnose an incident from which some files were taken away."""
    return diagnosed(copied(name, at, parts))


def copied(name: str, at: Path, left_out: list[str] | None = None) -> Path:
    """Copy the evidence of an incident; what is left out must have been there."""
    folder = at / "evidence"
    copytree(INCIDENTS / name / "evidence", folder)
    for part in left_out or ():
        (folder / part).unlink()
    return folder


def rules_of(causes: tuple[Cause, ...]) -> list[str]:
    return [cause.rule for cause in causes]


def found(diagnosis: Diagnosis) -> list[Cause]:
    """The causes with evidence of their own; the merely possible are left out."""
    return [cause for cause in diagnosis.causes if cause.evidence and not cause.stands_in]


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
