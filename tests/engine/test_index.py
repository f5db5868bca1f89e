"""The catalogue as a run loads it."""

import marshal

import pytest
from rule_kit import HEARD, MUTED, check, rule  # type: ignore[import-not-found]

from sickbay.engine.cards import Card, card_of, decode, encode
from sickbay.engine.index import FORMAT, Place, Written, build
from sickbay.model.finding import Match
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Risk, Rule, Step


def never(entity: object, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return None


FULL = rule(
    HEARD._replace(channels=("event",), unless="no"),
    check(Pod, never),
    title="Größe «x» is wrong\nfor two lines",
    remedy=(Step("Mend it.", ("az", "x"), Risk.DESTRUCTIVE, "look"),),
    leads_to=("b.two",),
    ask="look",
    spreads=True,
    formerly=("a.old",),
)
RULES = {
    "a.one": FULL,
    "b.two": rule(MUTED),
    "c.three": rule(check(Pod, never), check(Node, never)),
}


def cards(**kept: Rule) -> list[tuple[Card, Place]]:
    return [(card_of(id, one), Place(id)) for id, one in (kept or RULES).items()]


def test_a_card_is_read_as_it_was_written() -> None:
    card = card_of("a.one", FULL)
    assert decode(encode(card))[0] == card


def test_every_card_is_found_by_its_number() -> None:
    index = build(cards()).opened()
    assert [index.card(number).id for number in range(3)] == list(index.ids)


def test_equal_rules_give_equal_bytes_in_any_order() -> None:
    assert build(cards()) == build(reversed(cards()))


def test_signatures_are_numbered_in_the_order_of_rules() -> None:
    index = build(cards()).opened()
    assert [index.owner(number) for number in index.signatures] == [(0, 0), (1, 0)]


def test_a_kind_knows_the_rules_that_ask_about_it() -> None:
    assert build(cards()).opened().kinds == {"Pod": (0, 2), "Node": (2,)}


def test_an_effect_that_is_no_rule_is_left_out() -> None:
    assert build(cards(**{"a.one": FULL})).opened().effects(0) == []


def test_a_rule_knows_what_it_leads_to() -> None:
    index = build(cards()).opened()
    assert [index.effects(number) for number in range(3)] == [[1], [], []]


def test_a_rule_that_documents_prove_does_not_work_unseen() -> None:
    index = build(cards()).opened()
    assert [index.hands_on(number) for number in range(3)] == [False, True, False]


def test_a_rule_knows_its_file() -> None:
    assert build(cards()).opened().place(2) == Place("c.three")


def test_an_index_of_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match="another format"):
        Written(marshal.dumps((FORMAT + 1,)), b"").opened()


@pytest.mark.parametrize(("id", "is_symptom"), [("a.one", False), ("b.two", True)])
def test_a_rule_that_only_shows_symptoms_is_one(id: str, is_symptom: bool) -> None:
    assert card_of(id, RULES[id]).is_symptom is is_symptom
