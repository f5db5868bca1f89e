"""Puts this case's names into the sentences and commands of a rule."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from sickbay.model.diagnosis import Treatment
from sickbay.model.ids import Ref, arm_part
from sickbay.rulekit.rule import Risk, Step

BRACES: Final = re.compile(r"\{(\w+)\}")
# Words in pointed brackets are for the reader to fill in; of these we may know what they stand for.
_STAND_INS: Final = (
    r"deployment/(?P<workload><deployment>)|(?P<fabric><fabric>)"
    r"|(?P<control_plane_ip><control-plane-ip>)|<name>-(?P<file>infra|appliance|resource)\.yaml"
)
_NAMES: Final = frozenset(
    "workload fabric control_plane_ip infra_file appliance_file resource_file".split()
)

# A clause in square brackets is said only where its facts are known.
_CLAUSE: Final = re.compile(r"\[([^\[\]]*\{\w+\}[^\[\]]*)\]")
# A remark that would hold nothing but a name to fill in says nothing.
_EMPTY_REMARK: Final = r" \(<[a-z][a-z-]*>\)"

# Facts that any text may use: filled from the subject and the target, else shown as a placeholder
# to fill in by hand.
_CONTEXT_WORDS: Final = """
subscription resource_group cluster node_resource_group location namespace pod node pool name
subject host
"""
CONTEXT: Final = frozenset(_CONTEXT_WORDS.split())

_ARM_NAMES: Final = {
    "subscription": "subscriptions",
    "resource_group": "resourcegroups",
    "cluster": "managedclusters",
    "pool": "agentpools",
}


def fill(template: str, facts: Mapping[str, str]) -> str:
    """Fill the braces; a fact that nobody knows stays visible as `<fact>`."""
    if _NAMES.isdisjoint(facts):
        return BRACES.sub(
            lambda brace: facts.get(brace[1]) or f"<{brace[1].replace('_', '-')}>", template
        )

    def filled(place: re.Match[str]) -> str:
        name = place["fact"]
        if name:
            return facts.get(name) or f"<{name.replace('_', '-')}>"
        return facts.get(_stands_for(place)) or place[0]

    return _places().sub(filled, template)


def tell(template: str, facts: Mapping[str, str]) -> str:
    """Fill a sentence, and leave out the clauses whose facts nobody knows."""

    def clause(found: re.Match[str]) -> str:
        return found[1] if all(facts.get(name) for name in BRACES.findall(found[1])) else ""

    return fill(_CLAUSE.sub(clause, template) if "[" in template else template, facts)


def unfold(template: str) -> str:
    """A sentence with all its clauses."""
    return _CLAUSE.sub(r"\1", template)


def needed(template: str) -> set[str]:
    """The facts without which a sentence has a hole."""
    return set(BRACES.findall(_CLAUSE.sub("", template)))


@cache
def _places() -> re.Pattern[str]:
    """What can be filled in; compiled when there is a name for a stand-in, which is seldom."""
    return re.compile(rf"\{{(?P<fact>\w+)\}}|{_STAND_INS}")


def facts_of(subject: Ref) -> dict[str, str]:
    """The names that a subject's own id holds; a text has a file's name, which is no name of it."""
    if subject.kind == "text":
        return {}
    if subject.is_arm:
        named = {fact: arm_part(subject.id, segment) for fact, segment in _ARM_NAMES.items()}
        return {k: v for k, v in named.items() if v} | {"name": subject.name, "subject": subject.id}
    facts = {"name": subject.name, "subject": subject.id}
    if subject.namespace:
        facts["namespace"] = subject.namespace
    if subject.kind in {"Pod", "Node"}:
        facts[subject.kind.lower()] = subject.name
    return facts


def treat(steps: tuple[Step, ...], facts: Mapping[str, str]) -> tuple[Treatment, ...]:
    """Bind a remedy to this case."""
    return tuple(
        Treatment(
            re.sub(_EMPTY_REMARK, "", tell(step.text, facts)),
            tuple(fill(word, facts) for word in step.run),
            step.risk,
            tell(step.verify, facts),
        )
        for step in steps
    )


def treatment_key(steps: tuple[Step, ...], facts: Mapping[str, str]) -> tuple[object, ...]:
    """What makes two findings one: the same treatment, looks aside."""
    return tuple(
        (tell(step.text, facts), tuple(fill(word, facts) for word in step.run))
        for step in steps
        if not _is_look(step)
    )


def _is_look(step: Step) -> bool:
    """Whether a step only looks; a debugging pod leaves itself behind, and mends nothing."""
    return step.risk is Risk.READ or step.run[:2] == ("kubectl", "debug")


def vagueness(steps: tuple[Step, ...], facts: Mapping[str, str]) -> tuple[bool, bool]:
    """Whether a treatment wants names that nobody knows: facts, and what stand-ins stand for."""
    words = (word for step in steps for word in (step.text, *step.run))
    places = [place for word in words for place in _places().finditer(word)]
    facts_lack = any(place["fact"] and not facts.get(place["fact"]) for place in places)
    names_lack = any(not (place["fact"] or facts.get(_stands_for(place))) for place in places)
    return facts_lack, names_lack


def _stands_for(place: re.Match[str]) -> str:
    return f"{place['file']}_file" if place["file"] else str(place.lastgroup)
