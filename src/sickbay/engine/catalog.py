"""Finds the rules, and answers questions about them.

A rule's id is its module path below its folder.
"""

import importlib
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sickbay.engine.cards import Card, card_of
from sickbay.engine.index import Index, Place
from sickbay.engine.needs import Words
from sickbay.errors import SickbayError
from sickbay.rulekit.check import Check
from sickbay.rulekit.rule import Rule
from sickbay.rulekit.signature import Signature

if TYPE_CHECKING:
    from sickbay.model.entity import Entity

BUILT_IN = "sickbay.rules"
_NO_RULES = ("_", ".", "test_")


def built_in_folder() -> str:
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "rules")  # noqa: PTH100, PTH118, PTH120 - pathlib costs start-up time


def rule_files(folder: str) -> Iterator[tuple[str, str]]:
    """Yield id and path of each rule file below a folder, in order."""
    for family, path in families(folder):
        for name in rule_names(path):
            yield f"{family}.{name[:-3]}", f"{path}{os.sep}{name}"


def rule_names(folder: str) -> list[str]:
    """The names of the rule files in a folder, in order."""
    return [
        name
        for name in sorted(os.listdir(folder))  # noqa: PTH208
        if name.endswith(".py") and not name.startswith(_NO_RULES)
    ]


def families(folder: str) -> Iterator[tuple[str, str]]:
    """The name and the path of each folder that may hold rules, in order."""
    yield "local", folder
    for entry in sorted(os.scandir(folder), key=lambda found: found.name):
        if entry.is_dir() and not entry.name.startswith(("_", ".")):
            yield entry.name, entry.path


def load(folder: str, package: str = "") -> Iterator[tuple[Card, Place]]:
    """Import every rule of a folder; inside a package by its dotted name, else by its path."""
    for id, path in rule_files(folder):
        place = Place(f"{package}.{id}") if package else _place_of(id, path)
        yield card_of(id, import_rule(place)), place


def _place_of(id: str, path: str) -> Place:
    """A module name that two folders with rules of one name do not share."""
    return Place(f"_sickbay_rule_{zlib.crc32(path.encode()):08x}_{id.replace('.', '_')}", path)


def import_rule(place: Place) -> Rule:
    """Import a rule's module and return its RULE."""
    module = importlib.import_module(place.module) if not place.path else _from_path(place)
    rule = getattr(module, "RULE", None)
    if not isinstance(rule, Rule):
        raise SickbayError(
            f"{place.path or place.module} is no rule", "a rule file has `RULE = Rule(…)`"
        )
    return rule


def _from_path(place: Place) -> Any:
    if place.module in sys.modules:
        return sys.modules[place.module]
    # From its source, always: bytecode counts as fresh when only a second lies between two edits.
    module = ModuleType(place.module)
    module.__file__ = place.path
    loader = SourceFileLoader(place.module, place.path)
    try:
        code = loader.source_to_code(loader.get_data(place.path), place.path)
        exec(code, module.__dict__)  # noqa: S102 - rules are code, as the docs say
    except (SyntaxError, ImportError, TypeError, NameError, AttributeError, ValueError) as error:
        raise SickbayError(
            f"{place.path} cannot be loaded", f"{type(error).__name__}: {error}"
        ) from error
    sys.modules[place.module] = module
    return module


class Catalog:
    """The rules of a run, by id, by kind, by what they lead to and by what leads to them."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._number = dict(zip(index.ids, range(len(index.ids)), strict=True))
        self._causes: dict[int, list[int]] | None = None

    def __contains__(self, id: str) -> bool:
        return id in self._number

    def __iter__(self) -> Iterator[str]:
        return iter(self.index.ids)

    def __len__(self) -> int:
        return len(self._number)

    def card(self, id: str) -> Card:
        return self.index.card(self._number[id])

    def causes_of(self, id: str) -> tuple[str, ...]:
        """The rules that lead to this one, directly."""
        if self._causes is None:
            self._causes = {}
            for number in range(len(self)):
                for effect in self.index.effects(number):
                    self._causes.setdefault(effect, []).append(number)
        return self._names(self._causes.get(self._number[id], ()))

    def effects_of(self, id: str) -> tuple[str, ...]:
        """The rules that this one leads to, directly."""
        return self._names(self.index.effects(self._number[id]))

    def all_effects(self, id: str) -> frozenset[str]:
        """Everything that a failure mode may lead to, directly or not."""
        reached: set[str] = set()
        todo = list(self.effects_of(id))
        while todo:
            effect = todo.pop()
            if effect not in reached:
                reached.add(effect)
                todo += self.effects_of(effect)
        return frozenset(reached)

    def hands_on(self, id: str) -> bool:
        """Whether a failure mode can bring about others without being seen itself."""
        return self.index.hands_on(self._number[id])

    def signature(self, number: int) -> tuple[str, Signature]:
        """The rule that owns a signature of the compiled set, and the signature."""
        rule, part = self.index.owner(number)
        return self.index.ids[rule], self.index.card(rule).signatures[part]

    def rule_of(self, number: int) -> int:
        """The rule that owns a signature, as a number of its own: its card need not be read."""
        return self.index.owner(number)[0]

    def words(self, number: int) -> Words:
        """The words that the pattern of a signature needs."""
        rule, part = self.index.owner(number)
        return self.index.words(rule)[part]

    def signatures(self) -> Iterator[Signature]:
        for number in self.index.signatures:
            rule, part = self.index.owner(number)
            yield self.index.card(rule).signatures[part]

    @property
    def checked_kinds(self) -> tuple[str, ...]:
        return tuple(self.index.kinds)

    def checking(self, kind: str) -> tuple[str, ...]:
        """The rules with structured checks of a kind."""
        return self._names(self.index.kinds.get(kind, ()))

    def class_of(self, kind: str) -> "type[Entity]":
        """What the checks of a kind are asked about; imports the first of them."""
        return next(check.kind for _, check in self.checks(kind))

    def checks(self, kind: str) -> Iterator[tuple[str, Check[Any]]]:
        """The structured checks of a kind; imports the files that hold them."""
        for number in self.index.kinds.get(kind, ()):
            for check in self.checks_of(self.index.ids[number]):
                if check.kind.kind == kind:
                    yield self.index.ids[number], check

    def checks_of(self, id: str) -> tuple[Check[Any], ...]:
        """The structured checks of a rule; imports its file if it has any."""
        number = self._number[id]
        if not self.index.card(number).checks:
            return ()
        rule = import_rule(self.index.place(number))
        return tuple(part for part in rule.detect if isinstance(part, Check))

    def _names(self, numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.index.ids[number] for number in numbers)
