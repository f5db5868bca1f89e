"""The compiled catalogue is kept between runs, and made again when it must be."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sickbay.cli.scaffold import RULE
from sickbay.errors import SickbayError
from sickbay.store import open_rules

# What a fresh interpreter finds, and whether it had to import a rule's file for it.
SCRIPT = """
import json, sys
from sickbay.store import Shipped, open_rules
rules = open_rules(sys.argv[2:], Shipped(sys.argv[1], ""))
print(json.dumps({
    "titles": {id: rules.catalog.card(id).title for id in rules.catalog},
    "imported": any(name.startswith("_sickbay_rule_") for name in sys.modules),
    "slow": sorted({"importlib.metadata"} & set(sys.modules)),
    "hits": len(rules.matcher.scan(b"this pod is out of order since 2026-11-16\\\\n")),
}))
"""
TITLE = "The pod is marked as out of order"


class Place(NamedTuple):
    """A cache, the rules that are shipped, and a folder that packages are installed in."""

    cache: Path
    shipped: Path
    site: Path

    def start(self, *folders: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", SCRIPT, str(self.shipped), *map(str, folders)]
        environment = {**os.environ, "SICKBAY_CACHE": str(self.cache), "PYTHONPATH": str(self.site)}
        return subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def run(self, *folders: Path) -> dict[str, Any]:
        out, errors = self.start(*folders).communicate()
        assert not errors, errors.decode()
        found: dict[str, Any] = json.loads(out)
        return found

    @property
    def kept(self) -> list[Path]:
        return sorted(self.cache.iterdir()) if self.cache.is_dir() else []


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path / "cache", tmp_path / "shipped", tmp_path / "site")
    made.site.mkdir()
    write(made.shipped)
    return made


def write(folder: Path, name: str = "cart_down", title: str = TITLE) -> Path:
    path = folder / "shop" / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(RULE.replace(TITLE, title))
    return path


def install(site: Path, module: str = "extra_rules") -> Path:
    """Install a package that brings a rule."""
    about = site / "extra_rules-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: extra-rules\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[sickbay.rules]\nextra = {module}\n")
    (site / "extra_rules").mkdir()
    (site / "extra_rules" / "__init__.py").write_text("")
    return write(site / "extra_rules", "till_down", "The till is down")


def test_the_second_run_imports_no_rule_and_finds_the_same(place: Place) -> None:
    first, second = place.run(), place.run()
    assert (first["imported"], second["imported"]) == (True, False)
    assert (first["titles"], first["hits"]) == (second["titles"], second["hits"])
    assert first["hits"] == 1


def test_a_changed_rule_is_seen(place: Place) -> None:
    place.run()
    write(place.shipped, title="The pod is closed")
    assert place.run()["titles"] == {"shop.cart_down": "The pod is closed"}


def test_an_added_rule_is_seen(place: Place) -> None:
    place.run()
    write(place.shipped, "till_down")
    assert list(place.run()["titles"]) == ["shop.cart_down", "shop.till_down"]


def test_a_rule_that_was_taken_away_is_gone(place: Place) -> None:
    other = write(place.shipped, "till_down")
    place.run()
    other.unlink()
    assert list(place.run()["titles"]) == ["shop.cart_down"]


def test_rules_of_ones_own_stand_beside_the_shipped(place: Place, tmp_path: Path) -> None:
    write(tmp_path / "mine", "till_down")
    assert list(place.run(tmp_path / "mine")["titles"]) == ["shop.cart_down", "shop.till_down"]
    assert list(place.run()["titles"]) == ["shop.cart_down"]
    assert not place.run(tmp_path / "mine")["imported"]


@pytest.mark.parametrize(
    "damage", [b"", b"{}\n", b"\x00" * 100, b'{"key": 1'], ids=["empty", "bare", "zeros", "broken"]
)
def test_a_damaged_cache_is_made_again(damage: bytes, place: Place) -> None:
    place.run()
    (kept,) = place.kept
    kept.write_bytes(damage)
    assert place.run()["imported"]
    assert not place.run()["imported"]


@pytest.mark.parametrize("where", [0.0, 0.01, 0.3, 0.6])
def test_a_cache_with_one_wrong_byte_is_made_again(place: Place, where: float) -> None:
    place.run()
    (kept,) = place.kept
    data = bytearray(kept.read_bytes())
    data[int(where * len(data))] ^= 0xFF
    kept.write_bytes(data)
    assert place.run()["imported"]


def test_a_wrong_byte_in_a_card_is_told_and_the_file_is_made_again(place: Place) -> None:
    place.run()
    (kept,) = place.kept
    data = bytearray(kept.read_bytes())
    data[-5] ^= 0xFF
    kept.write_bytes(data)
    errors = place.start().communicate()[1].decode()
    assert "damaged" in errors
    assert place.run()["imported"]


def test_without_a_folder_to_write_in_every_run_compiles(place: Place) -> None:
    place.cache.write_text("a file where the folder would be")
    assert [place.run()["imported"] for _ in range(2)] == [True, True]


@pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a folder away"
)
def test_a_folder_of_somebody_else_is_not_used(place: Place) -> None:
    place.cache.mkdir()
    os.chown(place.cache, 12345, 12345)
    assert place.run()["titles"] == {"shop.cart_down": TITLE}
    assert place.kept == []


def test_two_runs_at_once_do_not_disturb_each_other(place: Place) -> None:
    runs = [place.start() for _ in range(2)]
    found = [json.loads(run.communicate()[0]) for run in runs]
    assert [one["titles"] for one in found] == [{"shop.cart_down": TITLE}] * 2
    assert [path.name.partition("-")[0] for path in place.kept] == ["rules"]
    assert not place.run()["imported"]


def test_only_so_many_old_catalogues_are_kept(place: Place) -> None:
    place.cache.mkdir()
    for number in range(9):
        (place.cache / f"rules-{number}").write_bytes(b"old")
    place.run()
    assert len(place.kept) == 6


def test_an_installed_package_brings_rules(place: Place) -> None:
    place.run()
    install(place.site)
    found = place.run()["titles"]
    assert found == {"shop.cart_down": TITLE, "shop.till_down": "The till is down"}
    again = place.run()
    assert (again["imported"], again["slow"]) == (False, [])


def test_a_changed_rule_of_an_installed_package_is_seen(place: Place) -> None:
    path = install(place.site)
    place.run()
    path.write_text(path.read_text().replace("The till is down", "The till is shut"))
    assert place.run()["titles"]["shop.till_down"] == "The till is shut"


def test_an_installed_folder_is_asked_once_and_not_each_of_its_files(place: Place) -> None:
    installed = place.site / "site-packages" / "shop"
    write(installed)
    here = place._replace(shipped=installed, site=installed.parent)
    here.run()
    rule = next(installed.rglob("*.py"))
    rule.write_text(rule.read_text().replace(TITLE, "Changed in place"))
    assert TITLE in here.run()["titles"].values()
    write(installed, "another")
    assert "Changed in place" in here.run()["titles"].values()


def test_a_package_that_cannot_be_loaded_is_named(place: Place) -> None:
    install(place.site, "not_there_at_all")
    errors = place.start().communicate()[1].decode()
    assert "SickbayError: the rules of not_there_at_all cannot be loaded" in errors


def test_a_folder_that_is_not_there_is_for_the_user_to_mend(tmp_path: Path) -> None:
    with pytest.raises(SickbayError, match="is no folder of rules"):
        open_rules([str(tmp_path / "nowhere")])
