"""The chain of a cause as a tree: each effect below what brought it about."""

from collections.abc import Iterable
from typing import Any, Final

from sickbay.record import NamedTuple
from sickbay.report.labels import label

Document = dict[str, Any]
_DEEPEST: Final = 9


class Link(NamedTuple):
    """One thing in the chain; `guide` is drawn before its label, `trail` on the lines below."""

    depth: int
    label: str
    says: str
    at: str
    rule: str
    guide: str = ""
    trail: str = ""


def links_of(cause: Document, times: dict[tuple[str, str], str], most: int) -> list[Link]:
    """The cause and its effects in drawing order, at most so many effects."""
    root = Link(0, _named(cause), cause["says"], cause.get("first_seen") or "", cause["rule"])
    effects = [_link(effect, times) for effect in cause["explains"][:most]]
    return [root, *_drawn(_stepwise(effects))]


def _link(effect: Document, times: dict[tuple[str, str], str]) -> Link:
    subject = effect["subject"]
    at = times.get((str(subject.get("id", "")), effect["says"]), "")
    return Link(effect.get("depth", 1), _named(effect), effect["says"], at, effect["rule"])


def _named(finding: Document) -> str:
    """What is ill; where only a text is known, the fault."""
    subject = finding["subject"]
    if subject.get("kind") != "text":
        return label(subject)
    return str(finding["rule"]).rpartition(".")[2].replace("_", " ")


def _stepwise(links: Iterable[Link]) -> list[Link]:
    """Nothing is drawn more than one step deeper than what stands above it."""
    above = 0
    steps = []
    for link in links:
        above = max(1, min(link.depth, above + 1, _DEEPEST))
        steps.append(link._replace(depth=above))
    return steps


def _drawn(links: list[Link]) -> list[Link]:
    """Add the branches; from below, because a branch depends on what follows it."""
    drawn: list[Link] = []
    going_on: set[int] = set()
    for link in reversed(links):
        guide = "".join("│  " if level in going_on else "   " for level in range(1, link.depth))
        is_last = link.depth not in going_on
        going_on = {level for level in going_on if level < link.depth} | {link.depth}
        drawn.append(
            link._replace(
                guide=guide + ("└─ " if is_last else "├─ "),
                trail=guide + ("   " if is_last else "│  "),
            )
        )
    drawn.reverse()
    return drawn
