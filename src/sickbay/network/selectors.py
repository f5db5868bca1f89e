"""Label selectors over labels that may be known only in part: yes, no, or maybe."""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from sickbay.model.policies import PolicySelector

_WITH_VALUES: Final = frozenset({"In", "NotIn"})
_OPERATORS: Final = _WITH_VALUES | {"Exists", "DoesNotExist"}


class Fit(IntEnum):
    """Whether something matches; the least of several is what all say, the greatest what any."""

    NO = 0
    MAYBE = 1
    YES = 2


class InvalidPolicyError(ValueError):
    """A policy says something that the API would not take."""


class Labels(NamedTuple):
    """The labels of something; `is_complete` when it has no others."""

    known: Mapping[str, str]
    is_complete: bool = True


class Need(NamedTuple):
    """One requirement of a selector."""

    key: str
    operator: str
    values: frozenset[str] = frozenset()

    def fit(self, labels: Labels) -> Fit:
        value = labels.known.get(self.key)
        if value is None and not labels.is_complete:
            return Fit.MAYBE
        match self.operator:
            case "In":
                is_met = value in self.values
            case "NotIn":
                is_met = value not in self.values
            case "Exists":
                is_met = value is not None
            case _:
                is_met = value is None
        return Fit.YES if is_met else Fit.NO


class Selector(NamedTuple):
    """Every requirement must be met; without any, everything is selected."""

    needs: tuple[Need, ...] = ()

    def fit(self, labels: Labels) -> Fit:
        lowest = Fit.YES
        for need in self.needs:
            fit = need.fit(labels)
            if fit is Fit.NO:
                return fit
            lowest = min(lowest, fit)
        return lowest

    @property
    def keys(self) -> frozenset[str]:
        """The keys that it looks at."""
        return frozenset(need.key for need in self.needs)


EVERYTHING: Final = Selector()


def selector_of(written: PolicySelector | None) -> Selector:
    """The selector that a policy writes; absent and empty both select everything."""
    if written is None:
        return EVERYTHING
    equal = [Need(k, "In", frozenset({v})) for k, v in (written.match_labels or {}).items()]
    return Selector(tuple(sorted([*equal, *_expressions(written)], key=_in_order)))


def _expressions(written: PolicySelector) -> Iterable[Need]:
    for expression in written.match_expressions or ():
        values = frozenset(expression.values or ())
        if expression.operator not in _OPERATORS:
            raise InvalidPolicyError(f"{expression.operator!r} is no operator of a selector")
        if bool(values) != (expression.operator in _WITH_VALUES):
            wants = "no values" if values else "values"
            raise InvalidPolicyError(f"the operator {expression.operator} takes {wants}")
        yield Need(expression.key, expression.operator, values)


def _in_order(need: Need) -> tuple[str, str, list[str]]:
    return need.key, need.operator, sorted(need.values)
