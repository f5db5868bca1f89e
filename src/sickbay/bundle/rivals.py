"""Several documents of one thing: which of them counts.

The newest by the times inside; of what has no time the worse, and then the one that says more. The
order in which they were read makes no difference.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from sickbay.model.entity import ArmEntity, Entity
from sickbay.model.evidence import Gap, Origin, Reason
from sickbay.model.ids import Ref, arm

# What stands in an id for a name that was not told, as in the tables that `az` prints.
UNTOLD: Final = "<"
_ANY_SUBSCRIPTION: Final = f"/subscriptions/{UNTOLD}subscription>/"
_ID: Final = r'(?i)"(/subscriptions/[^"<]+/providers/[^"<]+)"'
# Fewer parts make no id of a resource: a subscription, a group, a provider, a type and a name.
_SHORTEST: Final = 8
_ENCODER: Final = msgspec.json.Encoder(order="deterministic")


class Claim(NamedTuple):
    """A document of a thing, where it was read, and the time inside it."""

    entity: Entity
    origin: Origin
    at: str = ""


class Settled(NamedTuple):
    claim: Claim
    gap: Gap | None


def settle(claims: Iterable[Claim]) -> Settled:
    """The one that counts, completed by what the others of its time add; and what was dropped."""
    ranked = sorted(claims, key=_rank)
    newest = max((_age(claim.at) for claim in ranked if claim.at), default=None)
    current = [claim for claim in ranked if not claim.at or _age(claim.at) == newest]
    winner = current[0]
    entity = winner.entity
    for other in current[1:]:
        entity = _completed(entity, other.entity)
    return Settled(winner._replace(entity=entity), _contradiction(winner, ranked, current))


def known_by_another_name(claims: Mapping[Ref, Claim]) -> list[tuple[Ref, Ref]]:
    """Things whose id has stand-ins, each with the one thing in evidence that it can be.

    That has a document of its own, is named in the document of another, or lies in the only
    subscription that evidence knows.
    """
    strangers = sorted(ref for ref in claims if UNTOLD in ref.id)
    if not strangers:
        return []
    known = [ref for ref in claims if UNTOLD not in ref.id and ref.is_arm]
    named = _by_ending(known), _by_ending(_mentioned(claims, {one.kind for one in strangers}))
    subscriptions = {ref.subscription.casefold(): ref.subscription for ref in known}
    found = []
    for stranger in strangers:
        ending = (stranger.kind.casefold(), stranger.name.casefold())
        fitting = ([one for one in refs.get(ending, ()) if _fits(stranger, one)] for refs in named)
        first: list[Ref] = next(filter(None, fitting), [])
        if len(first) == 1:
            found.append((stranger, first[0]))
        elif not first and len(subscriptions) == 1:
            (only,) = subscriptions.values()
            told = stranger.id.replace(_ANY_SUBSCRIPTION, f"/subscriptions/{only}/")
            if UNTOLD not in told:
                found.append((stranger, arm(told)))
    return found


def renamed(claim: Claim, ref: Ref) -> Claim:
    """The same document under the id that it turned out to have."""
    entity = claim.entity
    if not isinstance(entity, ArmEntity):
        return claim
    return claim._replace(entity=msgspec.structs.replace(entity, id=ref.id))


def _by_ending(refs: Iterable[Ref]) -> dict[tuple[str, str], list[Ref]]:
    endings: dict[tuple[str, str], list[Ref]] = {}
    for ref in refs:
        endings.setdefault((ref.kind.casefold(), ref.name.casefold()), []).append(ref)
    return endings


def _mentioned(claims: Mapping[Ref, Claim], kinds: set[str]) -> list[Ref]:
    """The resources of some kinds that documents name: what they use, and what they are part of."""
    found: dict[str, Ref] = {}
    wanted = {kind.casefold() for kind in kinds}
    for claim in (claim for ref, claim in claims.items() if ref.is_arm):
        for id in re.findall(_ID, _ENCODER.encode(claim.entity).decode()):
            words = id.rstrip("/").split("/")
            for end in range(len(words), _SHORTEST, -2):
                ref = arm("/".join(words[:end]))
                if ref.kind.casefold() in wanted:
                    found.setdefault(ref.key, ref)
    return [found[key] for key in sorted(found)]


def _fits(stranger: Ref, ref: Ref) -> bool:
    words, others = stranger.key.split("/"), ref.key.split("/")
    pairs = zip(words, others, strict=False)
    return len(words) == len(others) and all(a == b or UNTOLD in a for a, b in pairs)


def _rank(claim: Claim) -> tuple[Any, ...]:
    """The worse first, then what says more; the rest only makes the order one."""
    values = _values(claim.entity)
    said = len(values) - values.count(None)
    # The id that was written beats the one that was made up.
    is_made_up = UNTOLD in claim.entity.ref.id
    content = _ENCODER.encode(claim.entity)
    return not claim.entity.is_unwell, is_made_up, -said, content, claim.origin


def _completed(entity: Entity, other: Entity) -> Entity:
    """A document with what only another one says."""
    if type(entity) is not type(other) or not isinstance(entity, ArmEntity):
        return entity
    more = dict(_fields(other))
    missing = {
        name: more[name]
        for name, value in _fields(entity)
        if value in (None, "") and more.get(name) not in (None, "")
    }
    if UNTOLD in entity.id and UNTOLD not in other.ref.id:
        missing["id"] = other.ref.id
    return msgspec.structs.replace(entity, **missing) if missing else entity


def _contradiction(winner: Claim, claims: list[Claim], current: list[Claim]) -> Gap | None:
    against = [claim for claim in claims if claim.entity.is_unwell != winner.entity.is_unwell]
    if not against:
        return None
    why = "the worse" if any(claim in current for claim in against) else "the newer"
    places = ", ".join(sorted({claim.origin.source for claim in against}))
    here = winner.origin.source
    what = f"{winner.entity.ref} is in another state in {here} than in {places}; {why} counts"
    return Gap(here, what, Reason.CONTRADICTED)


def _fields(entity: Entity) -> Iterator[tuple[str, Any]]:
    yield from zip(getattr(entity, "__struct_fields__", ()), _values(entity), strict=True)


def _values(entity: Entity) -> tuple[Any, ...]:
    return msgspec.structs.astuple(entity) if isinstance(entity, msgspec.Struct) else ()


def _age(stamp: str) -> tuple[int, str]:
    return (int(stamp), "") if stamp.isdecimal() and len(stamp) < 20 else (0, stamp)  # noqa: PLR2004
