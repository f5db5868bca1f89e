"""Reads a pattern's parse tree into the parts of a candidate expression."""

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from re import _parser  # type: ignore[attr-defined]  # the standard parser has no public name
from typing import Any, Final, NamedTuple

from sickbay.engine import rawform
from sickbay.engine.pattern_error import PatternError
from sickbay.engine.rawform import Characters
from sickbay.engine.stretches import (
    BOUNDARY,
    CUT,
    SHORTEST_LITERAL,
    WEAK_START,
    Part,
    muted,
    strength,
    telling,
    worth,
    written,
)

_LONGEST_REPEAT: Final = 32
_LAST_ASCII: Final = 127
_MOST_ALTERNATIVES: Final = 128
_MOST_WAYS: Final = 48
# Alternatives that are too many to be told apart.
_ONE_OF: Final = "ONE_OF"
# What stands around alternatives must be as rare as this to do without them.
_RARE: Final = 12.0
_CODE_SIGNS: Final = "._-/()"
_CATEGORIES: Final = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}
_LOOK_AROUND: Final = "look-around is not linear: match what may stand there, in the pattern itself"
_INSTEAD: Final = {
    "ASSERT": _LOOK_AROUND,
    "ASSERT_NOT": _LOOK_AROUND,
    "GROUPREF": "a back-reference is not linear: capture both places and compare them in a check",
    "GROUPREF_EXISTS": "a conditional group is not linear: write two signatures",
    "ATOMIC_GROUP": "an atomic group is not RE2: write a plain group",
    "POSSESSIVE_REPEAT": "a possessive repeat is not RE2: write a plain one",
}


class Node(NamedTuple):
    """An item of a parse tree, and whether case counts for it."""

    operator: str
    argument: Any
    is_caseless: bool


def alternatives(pattern: str) -> list[list[Part]]:
    """The ways in which a pattern can match, each as the parts that must then be there."""
    nodes = items_of(pattern)
    for node in nodes:
        _refuse(pattern, node)
    return _expanded(nodes, _MOST_ALTERNATIVES)


# Words that must all be there, and sets of words of which one must be.
Needs = frozenset[str | frozenset[str]]


def words(pattern: str) -> tuple[Needs, ...]:
    """For each way to match a pattern, what must then be there."""
    return tuple(dict.fromkeys(_needs(way) for way in _ways(items_of(pattern), _MOST_WAYS)))


def _ways(nodes: list[Node], most: int) -> list[list[Node]]:
    """A pattern without its alternatives: once for each, as far as these are not too many."""
    at = next((at for at, node in enumerate(nodes) if node.operator == "BRANCH"), -1)
    if at < 0:
        return [nodes]
    before, (_, (_, trees), is_caseless), after = nodes[:at], nodes[at], nodes[at + 1 :]
    share = most // len(trees)
    if share < 1:
        # Whichever it is, it ends the word before it.
        one_of = Node(_ONE_OF, trees, is_caseless)
        return [[*before, one_of, *way] for way in _ways(after, most)]
    found = []
    for tree in trees:
        branch = list(flat(tree, is_caseless=is_caseless))
        found += _ways([*before, *branch, *after], share)
    return found


def may_span_fields(pattern: str) -> bool:
    """Whether a match can reach from an error's code into its message, or hold on to an end.

    These stand in two fields that unwrapping puts together, and its layers have other ends.
    """
    nodes = items_of(pattern)
    if any(node.operator == "BRANCH" or _is_anchor(node) for node in nodes):
        return True
    parts = _parts(nodes)
    return CUT in parts and _may_be_code(parts[: parts.index(CUT)])


def _is_anchor(node: Node) -> bool:
    return node.operator == "AT" and str(node.argument) != "AT_BOUNDARY"


def _needs(nodes: Sequence[Node]) -> Needs:
    choices = (_choice(node.argument) for node in nodes if node.operator == _ONE_OF)
    return _words(nodes) | frozenset(choice for choice in choices if choice)


def _choice(trees: Iterable[Any]) -> frozenset[str]:
    """Words of which one is there, whichever alternative matches; nothing if one has none."""
    found: set[str] = set()
    for tree in trees:
        nodes = list(flat(tree, is_caseless=False))
        told = sorted(_words(nodes), key=lambda word: (-len(word), word))[:1]
        nested = (_choice(node.argument[1]) for node in nodes if node.operator == "BRANCH")
        chosen = set(told) or next((set(choice) for choice in nested if choice), set())
        if not chosen:
            return frozenset()
        found |= chosen
    return frozenset(found)


def _words(nodes: Iterable[Node]) -> frozenset[str]:
    signs = (
        chr(node.argument) if node.operator == "LITERAL" else "" if node.operator == "AT" else " "
        for node in nodes
    )
    return frozenset(re.findall(r"[A-Za-z0-9_]{3,}", "".join(signs)))


def items_of(pattern: str) -> list[Node]:
    tree = _parse(pattern)
    return list(flat(tree, is_caseless=bool(tree.state.flags & re.IGNORECASE)))


def _parse(pattern: str) -> Any:
    if "[[:" in pattern:
        raise PatternError(pattern, r"write the class out: \d, \w, \s or a range")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            return _parser.parse(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise PatternError(pattern, f"not a regular expression: {error}") from error


def flat(tree: Iterable[Any], *, is_caseless: bool) -> Iterator[Node]:
    """The items of a tree, groups dissolved."""
    for operator, argument in tree:
        if str(operator) == "SUBPATTERN":
            _, added, removed, inner = argument
            caseless = (is_caseless or bool(added & re.IGNORECASE)) and not removed & re.IGNORECASE
            yield from flat(inner, is_caseless=caseless)
        else:
            yield Node(str(operator), argument, is_caseless)


def _refuse(pattern: str, node: Node) -> None:
    if node.operator in _INSTEAD:
        raise PatternError(pattern, _INSTEAD[node.operator])
    inner: Iterable[Any] = ()
    if node.operator == "BRANCH":
        inner = node.argument[1]
    elif node.operator in ("MAX_REPEAT", "MIN_REPEAT"):
        inner = (node.argument[2],)
    for tree in inner:
        for below in flat(tree, is_caseless=node.is_caseless):
            _refuse(pattern, below)


def _expanded(nodes: list[Node], most: int) -> list[list[Part]]:
    """Split at the first alternatives, unless what stands around them is telling enough."""
    at = next((at for at, node in enumerate(nodes) if node.operator == "BRANCH"), -1)
    if at < 0:
        return [_parts(nodes)]
    before, (_, (_, trees), is_caseless), after = nodes[:at], nodes[at], nodes[at + 1 :]
    around = telling([*_parts(before), CUT, *_parts(after)])
    share = most // len(trees)
    if share < 1 or any(stretch.worth >= _RARE for stretch in around):
        return [_parts(nodes)]
    found = []
    for tree in trees:
        branch = list(flat(tree, is_caseless=is_caseless))
        found += _expanded([*before, *branch, *after], share)
    return found


def _parts(nodes: Iterable[Node]) -> list[Part]:
    found: list[Part] = []
    for node in nodes:
        for part in _read(node):
            _append(found, part)
    return found


def _read(node: Node) -> Iterable[Part]:
    if node.operator == "AT":
        return (BOUNDARY,) if str(node.argument) == "AT_BOUNDARY" else ()
    if node.operator == "BRANCH":
        trees = node.argument[1]
        return _branches([_parts(flat(tree, is_caseless=node.is_caseless)) for tree in trees])
    if node.operator in ("MAX_REPEAT", "MIN_REPEAT"):
        least, most, tree = node.argument
        return _repeat(least, most, list(flat(tree, is_caseless=node.is_caseless)))
    return (_single(node),)


def _branches(branches: list[list[Part]]) -> list[Part]:
    if not any(CUT in branch for branch in branches):
        return [_group(branches)]
    # One branch has a gap, so of each its most telling stretch must do.
    best = [max(telling(branch), key=lambda one: one.worth, default=None) for branch in branches]
    chosen = [stretch for stretch in best if stretch is not None]
    if len(chosen) < len(branches):
        return [CUT]
    expression = "|".join(stretch.expression for stretch in chosen)
    weakest = min(stretch.worth for stretch in chosen) + WEAK_START
    return [CUT, Part(f"(?:{expression})", strength=SHORTEST_LITERAL, worth=weakest), CUT]


def _group(branches: list[list[Part]]) -> Part:
    return Part(
        f"(?:{'|'.join(map(written, branches))})",
        strength=min(map(strength, branches)),
        worth=min(map(worth, branches)),
        may_be_colon=any(part.may_be_colon for branch in branches for part in branch),
        muted=f"(?:{'|'.join(map(muted, branches))})",
    )


def _optional(parts: list[Part]) -> Part:
    group = _group([parts])
    return Part(f"{group.expression}?", may_be_colon=group.may_be_colon, muted=f"{group.muted}?")


def _repeat(least: int, most: int, nodes: list[Node]) -> list[Part]:
    if len(nodes) == 1 and nodes[0].operator in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
        return _repeated(characters(nodes[0]), least, most)
    parts = _parts(nodes)
    if CUT in parts or most > 1:
        return [*parts, CUT] if least else [CUT]
    return parts if least else [_optional(parts)]


def _repeated(wanted: Characters, least: int, most: int) -> list[Part]:
    if wanted.is_white:
        return [Part(rawform.SPACE) if least else Part(f"(?:{rawform.SPACE})?")]
    if most == 1:
        return [_one_of(wanted)] if least else [_optional([_one_of(wanted)])]
    if wanted.may_be_white or (wanted.may_be_escaped and most <= _LONGEST_REPEAT):
        return [CUT]
    bounds = f"{{{least},{most}}}" if most <= _LONGEST_REPEAT else "+" if least else "*"
    is_word = wanted.is_word and least > 0
    expression = rawform.run_of(wanted) + bounds
    return [Part(expression, is_word=is_word, may_be_colon=wanted.may_be_colon)]


def _single(node: Node) -> Part:
    if node.operator == "LITERAL":
        return _literal(node.argument, node.is_caseless)
    return _one_of(characters(node))


@lru_cache(maxsize=512)
def _literal(code: int, is_caseless: bool) -> Part:
    sign = chr(code)
    if not sign.isascii():
        return Part(rawform.beyond_ascii(sign))
    part = _one_of(characters(Node("LITERAL", code, is_caseless)))
    if rawform.is_firm(sign):
        silent = f"[{part.expression.strip('[]')}\\x00]"
        return part._replace(firm=sign, strength=1, muted=silent)
    return part._replace(strength=1, worth=0.5) if rawform.has_one_end(sign) else part


def _one_of(wanted: Characters) -> Part:
    expression = rawform.one_of(wanted)
    return Part(expression, is_word=wanted.is_word, may_be_colon=wanted.may_be_colon)


def characters(node: Node) -> Characters:
    if node.operator == "ANY":
        return rawform.everything_but(frozenset())
    items = node.argument if node.operator == "IN" else ((node.operator, node.argument),)
    codes: set[int] = set()
    has_more = is_negated = False
    for operator, argument in items:
        kind = str(operator)
        is_negated |= kind in ("NEGATE", "NOT_LITERAL")
        within = _category(str(argument)) if kind == "CATEGORY" else _range(kind, argument)
        codes |= within.ascii
        has_more |= within.has_more
    if node.is_caseless:
        codes |= {ord(chr(code).swapcase()) for code in codes}
    wanted = frozenset(codes)
    return rawform.everything_but(wanted) if is_negated else Characters(wanted, has_more=has_more)


def _range(kind: str, argument: Any) -> Characters:
    if kind == "NEGATE":
        return Characters(frozenset())
    low, high = argument if kind == "RANGE" else (argument, argument)
    codes = frozenset(range(low, min(high, _LAST_ASCII) + 1))
    return Characters(codes, has_more=high > _LAST_ASCII)


def _category(name: str) -> Characters:
    *_, negation, kind = f"_{name}".removeprefix("_CATEGORY").split("_")
    sign = re.compile(_CATEGORIES[kind], re.ASCII)
    codes = frozenset(code for code in range(_LAST_ASCII + 1) if sign.match(chr(code)))
    return rawform.everything_but(codes) if negation == "NOT" else Characters(codes)


def _append(parts: list[Part], part: Part) -> None:
    """Add a part to a sequence, unless what stands before it changes what it can be."""
    if part == BOUNDARY:
        # Only behind a word: before one, the escape of a line end (`\n`) leaves a letter.
        if parts and parts[-1].is_word:
            parts.append(part)
    elif rawform.SPACE in part.expression and _may_be_joint(parts):
        # "code: message" is put together from two fields that may stand anywhere in a record.
        parts[-1:] = [CUT]
    else:
        parts.append(part)


def _may_be_joint(parts: list[Part]) -> bool:
    """Whether all that a stretch holds so far could be an error code, and a colon behind it."""
    if not parts or not parts[-1].may_be_colon:
        return False
    start = max((at + 1 for at, part in enumerate(parts) if part == CUT), default=0)
    code = parts[start:-1]
    if code and all(part.expression.islower() for part in code):
        # A program's name, or a word of prose: codes have capitals, digits or underscores.
        return False
    return _may_be_code(code)


def _may_be_code(parts: list[Part]) -> bool:
    return all(
        part.is_word or part.firm in _CODE_SIGNS
        for part in parts
        if part.firm or rawform.SPACE in part.expression
    )
