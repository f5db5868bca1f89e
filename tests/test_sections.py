"""Every section of the five guides has its incident, and its twin without texts says the same."""

from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from incidents.ward import INCIDENTS, diagnosed, expected, names  # type: ignore[import-not-found]
from sickbay.model.diagnosis import Cause

pytestmark = pytest.mark.usefixtures("rules")
GUIDES: Final = Path(__file__).parents[2] / "shared" / "seeds"
SECTIONS: Final[dict[str, dict[str, dict[str, Any]]]] = yaml.safe_load(
    (INCIDENTS / "sections.yaml").read_text(encoding="utf-8")
)
ALL: Final = {
    f"{guide}: {section}": row for guide, rows in SECTIONS.items() for section, row in rows.items()
}


def is_told(word: str) -> bool:
    return not word.startswith("none — ")


PAIRS: Final = [one for one, row in ALL.items() if is_told(row["texts"]) and is_told(row["state"])]


@cache
def top(name: str) -> Cause:
    cause: Cause = diagnosed(INCIDENTS / name / "evidence").causes[0]
    return cause


def test_five_guides_are_covered() -> None:
    assert len(SECTIONS) == 5
    assert len(ALL) >= 100


@pytest.mark.parametrize("section", ALL)
def test_a_section_has_an_incident_or_says_why_not(section: str) -> None:
    row = ALL[section]
    named = [row[kind] for kind in ("texts", "state") if is_told(row[kind])]
    assert named, "no incident at all"
    assert set(named) <= set(names(INCIDENTS))


@pytest.mark.parametrize("section", PAIRS)
def test_without_its_texts_an_incident_has_the_same_cause(section: str) -> None:
    texts, state = ALL[section]["texts"], ALL[section]["state"]
    assert expected(texts)["top"] == expected(state)["top"]
    assert top(texts).rule == top(state).rule


@pytest.mark.parametrize("section", [one for one in PAIRS if ALL[one].get("same_subject", True)])
def test_where_both_name_a_thing_of_one_kind_it_is_the_same_thing(section: str) -> None:
    """A text is about the resource whose operation failed; state can point to what was behind."""
    one, other = (top(ALL[section][kind]).subject for kind in ("texts", "state"))
    if one.kind.casefold() == other.kind.casefold():
        assert one.name.casefold() == other.name.casefold()


def test_the_guides_that_are_beside_the_checkout_are_the_ones_that_are_meant() -> None:
    if not GUIDES.is_dir():
        pytest.skip("the guides are not beside this checkout")
    assert {path.name for path in GUIDES.glob("*.md")} == set(SECTIONS)
