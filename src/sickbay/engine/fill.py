"""Puts this case's names into the sentences and commands of a rule."""

import re
from collections.abc import Mapping
from typing import Final

from sickbay.model.diagnosis import Treatment
from sickbay.model.ids import Ref, arm_part
from sickbay.rulekit.rule import Risk, Step

BRACES: Final = re.compile(r"\{(\w+)\}")

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
    return BRACES.sub(
        lambda brace: facts.get(brace[1]) or f"<{brace[1].replace('_', '-')}>", template
    )


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
            fill(step.text, facts),
            tuple(fill(word, facts) for word in step.run),
            step.risk,
            fill(step.verify, facts),
        )
        for step in steps
    )


def treatment_key(steps: tuple[Step, ...], facts: Mapping[str, str]) -> tuple[object, ...]:
    """What makes two findings one: the same treatment, looks aside."""
    return tuple(
        (fill(step.text, facts), tuple(fill(word, facts) for word in step.run))
        for step in steps
        if step.risk is not Risk.READ
    )


def is_vague(steps: tuple[Step, ...], facts: Mapping[str, str]) -> bool:
    """Whether a treatment wants names that nobody knows."""
    words = (word for step in steps for word in (step.text, *step.run))
    return any(not facts.get(name) for word in words for name in BRACES.findall(word))
