"""The same evidence gives the same bytes, whatever the machine, the order and the names."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from incidents.ward import HEALTHY, INCIDENTS, copied, diagnosed  # type: ignore[import-not-found]
from sickbay.model.diagnosis import Diagnosis
from sickbay.report.render import render

pytestmark = pytest.mark.usefixtures("rules")

NAMES = ("aks-subnet-full-texts", "coredns-down", "two-independent-causes", "mixed-folder")


def printed(name: str, env: dict[str, str]) -> bytes:
    command = [sys.executable, "-m", "sickbay", "diagnose", "--from", "evidence", "-o", "json"]
    done = subprocess.run(
        command,
        capture_output=True,
        check=False,
        cwd=INCIDENTS / name,
        env={**os.environ, **env},
    )
    assert done.returncode == 1
    return done.stdout


def shape(diagnosis: Diagnosis) -> list[tuple[str, str, str, str]]:
    """What must not depend on the names of files."""
    return [(c.rule, c.certainty.value, c.subject.id, c.says) for c in diagnosis.causes]


@pytest.mark.parametrize("name", NAMES)
def test_hash_seed_time_zone_and_locale_change_no_byte(name: str) -> None:
    first = printed(name, {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C"})
    again = printed(name, {"PYTHONHASHSEED": "77", "TZ": "Asia/Kolkata", "LC_ALL": "C.UTF-8"})
    assert first == again


@pytest.mark.parametrize("name", NAMES)
def test_files_that_were_written_in_another_order_change_no_byte(name: str, tmp_path: Path) -> None:
    source = INCIDENTS / name / "evidence"
    folder = tmp_path / "evidence"
    for path in sorted((p for p in source.rglob("*") if p.is_file()), reverse=True):
        copy = folder / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    assert render(diagnosed(folder), "json") == render(diagnosed(source), "json")


@pytest.mark.parametrize("name", NAMES)
def test_other_names_of_files_give_the_same_causes(name: str, tmp_path: Path) -> None:
    folder = copied(name, tmp_path)
    whole = shape(diagnosed(folder))
    flat = [path for path in sorted(folder.iterdir(), reverse=True) if path.is_file()]
    for number, path in enumerate(flat):
        path.rename(folder / f"{number:02}-{path.name}")
    assert shape(diagnosed(folder)) == whole


@settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(others=st.lists(st.sampled_from(("arc-appliance", "aso", "hybrid-site")), unique=True))
def test_unrelated_healthy_files_do_not_reorder_the_causes(others: list[str]) -> None:
    name = "two-independent-causes"
    with TemporaryDirectory() as place:
        folder = copied(name, Path(place))
        whole = shape(diagnosed(folder))
        for other in others:
            copytree(HEALTHY / other / "evidence", folder / f"also-{other}")
        assert [one for one in shape(diagnosed(folder)) if one in whole] == whole
