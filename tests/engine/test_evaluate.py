"""Every check is asked about every entity of its kind; a failing one harms no other."""

from rule_kit import Book, check, examined, rule  # type: ignore[import-not-found]

from sickbay.app import exit_code
from sickbay.engine.evaluate import Verdicts, ask, evaluate
from sickbay.errors import Exit
from sickbay.model.diagnosis import Health
from sickbay.model.entity import Metadata
from sickbay.model.finding import Clear, Crashed, Match, Unknown, Weight
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Seen, Snapshot


def pod(name: str) -> Pod:
    return Pod(metadata=Metadata(name=name, namespace="shop"))


WORLD = Snapshot([pod("a"), pod("b")], seen=[Seen("Pod")])


def is_b(one: Pod, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return Match(f"{one.name} it is") if one.name == "b" else None


def crashes(one: Pod, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    raise KeyError(one.name)


def wants_nodes(one: Pod, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return Match("no node") if not snapshot.all(Node) else None


def is_fine(one: Pod, snapshot: Snapshot) -> Clear:  # noqa: ARG001
    return Clear("2 of 3 are used")


def verdicts(snapshot: Snapshot = WORLD, **tests: object) -> Verdicts:
    return evaluate(Book(**{id: rule(check(Pod, test)) for id, test in tests.items()}), snapshot)


def test_a_match_carries_its_rule_and_its_subject() -> None:
    (found,) = verdicts(hit=is_b).found
    assert (found.rule, found.subject) == ("hit", kube("Pod", "shop", "b"))


def test_a_match_may_name_another_subject_and_weight() -> None:
    node = kube("Node", "", "n1")
    elsewhere = Match("it is the node", subject=node, weight=Weight.TYPICAL)
    found = verdicts(hit=lambda one, _: elsewhere if one.name == "a" else None).found
    assert [(one.subject, one.weight) for one in found] == [(node, Weight.TYPICAL)]


def test_a_crash_is_reported_and_the_others_go_on() -> None:
    said = verdicts(bad=crashes, good=is_b)
    assert [one.rule for one in said.found] == ["good"]
    assert [(rule, error.split(" (")[0]) for rule, error in said.crashed] == [
        ("bad", "KeyError: 'a'")
    ]


def test_a_crash_alone_is_no_health() -> None:
    diagnosis = examined(Book(bad=rule(check(Pod, crashes))), WORLD)
    assert diagnosis.health is Health.UNKNOWN
    assert diagnosis.crashed[0].startswith("bad: KeyError")
    assert exit_code(diagnosis) is Exit.COULD_NOT_LOOK


def test_a_crash_beside_a_find_does_not_hide_it() -> None:
    book = Book(bad=rule(check(Pod, crashes)), good=rule(check(Pod, is_b)))
    assert exit_code(examined(book, WORLD)) is Exit.SICK


def test_what_a_check_could_not_look_at_is_noted_with_the_look_that_opens_it() -> None:
    unsure = verdicts(blind=wants_nodes).unknown["blind"]
    assert [one.subject for one in unsure] == [pod("a").ref, pod("b").ref]
    assert unsure[0].gap.to_open == Node.look


def test_a_kind_that_nobody_read_is_unknown_as_a_whole() -> None:
    said = verdicts(Snapshot(), hit=is_b)
    assert [one.subject for one in said.unknown["hit"]] == [None]


def test_a_kind_that_was_read_and_is_empty_is_clear() -> None:
    said = verdicts(Snapshot(seen=[Seen("Pod")]), hit=is_b)
    assert said == Verdicts((), {}, ())


def test_no_more_subjects_are_kept_than_anybody_reads() -> None:
    many = Snapshot([pod(f"p{number}") for number in range(300)])
    unsure = verdicts(many, blind=wants_nodes).unknown["blind"]
    assert (len(unsure), unsure[-1].subject) == (101, None)


def test_one_question_has_one_of_four_answers() -> None:
    tests = (is_b, is_fine, wants_nodes, crashes)
    answers = [ask(check(Pod, test), pod("b"), WORLD) for test in tests]
    assert [type(answer) for answer in answers] == [Match, Clear, Unknown, Crashed]


def test_a_plain_no_is_clear_without_a_reason() -> None:
    assert ask(check(Pod, is_b), pod("a"), WORLD) == Clear("")
