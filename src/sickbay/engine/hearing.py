"""Turns what was heard in texts into findings: whose it is, what it says, and what carried it."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from sickbay.bundle.names import subjects, words
from sickbay.engine.catalog import Catalog
from sickbay.engine.confirm import Pattern
from sickbay.engine.fill import facts_of, tell
from sickbay.engine.findings import Finding
from sickbay.engine.scan import Heard
from sickbay.model.evidence import Origin
from sickbay.model.finding import Evidence
from sickbay.model.ids import Ref, arm, kube
from sickbay.rulekit.signature import Signature

_LONGEST_QUOTE = 600
_ANY_KIND = frozenset({"", "log", "pasted", "document", "error"})
# Facts that name a thing of a kind, and so say what a text is about.
_NAMING = {"pod": "Pod", "node": "Node", "service": "Service", "pvc": "PersistentVolumeClaim"}


def from_hits(catalog: Catalog, heard: Iterable[Heard]) -> list[Finding]:
    """One finding for each thing heard, in the channels that its signature means."""
    findings = []
    for one in heard:
        rule, signature = catalog.signature(one.signature)
        if not _is_meant(one, signature):
            continue
        facts = dict(one.facts)
        subject = _subject(one, facts)
        known = {**_words(one.layer), **facts_of(subject), **facts}
        findings.append(
            Finding(
                rule,
                (subject,),
                tell(signature.says, known),
                known,
                signature.weight,
                (Evidence(one.text.origin, one.layer[:_LONGEST_QUOTE]),),
                one.times,
                one.first,
                one.last,
                {one.text.origin: one.depth},
                one.carriers,
                one.shared,
                vague=signature.vague,
            )
        )
    return findings


@lru_cache(maxsize=64)
def _words(text: str) -> Mapping[str, str]:
    """What a text names; one long line may be heard by hundreds of signatures."""
    return words(text)


@lru_cache(maxsize=64)
def _named(text: str) -> tuple[Ref, ...]:
    return subjects(text)


def _is_meant(heard: Heard, signature: Signature) -> bool:
    """Whether a text is of a kind that the signature speaks of; one of unknown kind may be."""
    channel = heard.text.channel
    if (
        signature.channels
        and channel not in _ANY_KIND
        and not channel.startswith(signature.channels)
    ):
        return False
    return not (
        signature.unless and Pattern(signature.unless).captures(heard.layer.encode()) is not None
    )


def _subject(heard: Heard, facts: dict[str, str]) -> Ref:
    """What a text is about: what its reader knows, else what it names itself, else the text."""
    if heard.text.about is not None:
        return heard.text.about
    if "resource" in facts and facts["resource"].casefold().startswith("/subscriptions/"):
        return arm(facts["resource"])
    for fact, kind in _NAMING.items():
        if fact in facts and ("namespace" in facts or kind == "Node"):
            return kube(kind, "" if kind == "Node" else facts["namespace"], facts[fact])
    named = _named(heard.layer) or _named(heard.text.text)
    return named[0] if named else Ref("text", _file(heard.text.origin))


def _file(origin: Origin) -> str:
    return origin.source or "text"
