"""Rules are found by their place, and asked for by id, by kind and by what they lead to."""

from pathlib import Path

import pytest
from rule_kit import HEARD, MUTED, Book, check, rule  # type: ignore[import-not-found]

from sickbay.cli.scaffold import RULE
from sickbay.engine.catalog import Catalog, load, rule_files
from sickbay.engine.index import build
from sickbay.errors import SickbayError
from sickbay.model.finding import Match
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot


def never(entity: object, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return None


BOOK = Book(
    full=rule(leads_to=("failed",)),
    failed=rule(check(Pod, never), check(Node, never), leads_to=("down", "late")),
    down=rule(MUTED),
    late=rule(HEARD, check(Pod, never)),
)


def test_a_rule_knows_its_effects_and_its_causes() -> None:
    assert BOOK.effects_of("failed") == ("down", "late")
    assert BOOK.causes_of("down") == ("failed",)
    assert BOOK.causes_of("full") == ()


def test_effects_have_effects() -> None:
    assert BOOK.all_effects("full") == {"failed", "down", "late"}


def test_a_circle_of_effects_ends() -> None:
    circle = Book(one=rule(leads_to=("two",)), two=rule(leads_to=("one",)))
    assert circle.all_effects("one") == {"one", "two"}


def test_checks_are_found_by_kind() -> None:
    assert [id for id, _ in BOOK.checks("Pod")] == ["failed", "late"]
    assert [id for id, _ in BOOK.checks("Service")] == []


def test_a_signature_knows_its_rule() -> None:
    owners = [BOOK.signature(number)[0] for number in range(len(list(BOOK.signatures())))]
    assert owners == ["down", "full", "late"]


def test_a_catalogue_is_asked_like_a_collection() -> None:
    assert (len(BOOK), list(BOOK), "full" in BOOK, "empty" in BOOK) == (
        4,
        ["down", "failed", "full", "late"],
        True,
        False,
    )


def written(folder: Path, *names: str, text: str = RULE) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_the_id_of_a_rule_is_its_place(tmp_path: Path) -> None:
    written(tmp_path, "shop/cart_down.py", "plain.py")
    assert [id for id, _ in rule_files(str(tmp_path))] == ["local.plain", "shop.cart_down"]


def test_what_is_no_rule_file_is_passed_over(tmp_path: Path) -> None:
    written(tmp_path, "shop/_parts.py", "shop/test_cart.py", "shop/notes.txt", ".hidden/x.py")
    written(tmp_path, "__pycache__/y.py", "shop/__init__.py")
    assert list(rule_files(str(tmp_path))) == []


def test_a_rule_outside_any_package_is_loaded_with_its_checks(tmp_path: Path) -> None:
    written(tmp_path, "shop/cart_down.py")
    catalog = Catalog(build(load(str(tmp_path))).opened())
    assert [part.name for part in catalog.checks_of("shop.cart_down")] == ["says_so_itself"]


def test_rules_of_one_name_in_two_folders_are_two_modules(tmp_path: Path) -> None:
    other = RULE.replace("marked as out of order", "marked as closed")
    one, two = (
        written(tmp_path / "1", "shop/a.py"),
        written(tmp_path / "2", "shop/a.py", text=other),
    )
    titles = [card.title for folder in (one, two) for card, _ in load(str(folder))]
    assert titles == ["The pod is marked as out of order", "The pod is marked as closed"]


@pytest.mark.parametrize("text", ["", "RULE = 1", "RULE = Rule(", "1 / None"])
def test_a_file_that_is_no_rule_is_named(text: str, tmp_path: Path) -> None:
    written(tmp_path, "shop/cart_down.py", text=text)
    with pytest.raises(SickbayError, match=r"cart_down\.py"):
        list(load(str(tmp_path)))
