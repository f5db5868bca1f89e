"""Our NamedTuple is the one of `typing`, but for the cost of its class."""

import copy
import typing

import pytest

from sickbay.record import NamedTuple


class Ours(NamedTuple):
    """A note."""

    name: str
    size: int = 3
    tags: tuple[str, ...] = ()

    @property
    def twice(self) -> int:
        return 2 * self.size


class Theirs(typing.NamedTuple):
    name: str
    size: int = 3
    tags: tuple[str, ...] = ()


def test_it_is_made_by_place_and_by_name() -> None:
    assert tuple(Ours("a", tags=("x",))) == tuple(Theirs("a", tags=("x",))) == ("a", 3, ("x",))


def test_its_parts_have_names() -> None:
    one = Ours("a", 5)
    assert (one.name, one.size, one.twice) == ("a", 5, 10)


def test_it_looks_like_the_other() -> None:
    assert repr(Ours("a")).replace("Ours", "Theirs") == repr(Theirs("a"))


def test_it_tells_its_fields_as_the_other_does() -> None:
    one, other = Ours("a"), Theirs("a")
    assert (one._fields, one._asdict()) == (other._fields, other._asdict())


def test_one_part_can_be_replaced() -> None:
    changed = Ours("a")._replace(size=9)
    assert changed == ("a", 9, ())
    assert type(changed) is Ours


def test_it_can_be_taken_apart_by_a_pattern() -> None:
    match Ours("a", 5):
        case Ours(name, size):
            assert (name, size) == ("a", 5)


def test_it_cannot_be_changed() -> None:
    one = Ours("a")
    for name in ("size", "other"):
        with pytest.raises(AttributeError):
            setattr(one, name, 1)


def test_it_survives_being_copied() -> None:
    one = Ours("a", 5)
    assert copy.deepcopy(one) == one


@pytest.mark.parametrize(
    ("values", "named"),
    [((), {}), (("a", 1, (), 2), {}), (("a",), {"colour": 1}), (("a", 1, ()), {"size": 2})],
)
def test_what_does_not_fit_is_refused(values: tuple[object, ...], named: dict[str, object]) -> None:
    for cls in (Ours, Theirs):
        with pytest.raises(TypeError):
            cls(*values, **named)  # type: ignore[arg-type]


def test_a_field_that_is_not_there_cannot_be_replaced() -> None:
    with pytest.raises(ValueError, match="colour"):
        Ours("a")._replace(colour=1)  # type: ignore[call-arg]
