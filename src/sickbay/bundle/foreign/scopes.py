"""What a complete list of resources says: every one of a type, within a scope."""

from collections.abc import Mapping
from typing import Final

from sickbay.bundle.sink import Sink
from sickbay.model.ids import Ref
from sickbay.model.snapshot import ANY_ARM

_MORE: Final = ("nextLink", "@odata.nextLink", "$skipToken", "skipToken", "skip_token")
# A query of Resource Graph can have left out anything.
_QUERIED: Final = ("totalRecords", "total_records", "resultTruncated")


def is_whole(header: Mapping[str, object]) -> bool:
    """Whether what stands beside a list says that it is complete."""
    return not any(header.get(key) for key in _MORE) and not any(key in header for key in _QUERIED)


def note_list(refs: list[Ref], sink: Sink) -> None:
    """Note the scope that a list of resources covers: one type, or an inventory of several."""
    if not refs:
        return
    scope = _common_scope(refs)
    kinds = sorted({_kind(type) for type in {ref.kind for ref in refs}})
    # Of the children of one resource, others than those of a list may be there.
    if len(kinds) > 1 and "/providers/" not in scope.casefold():
        sink.seen(ANY_ARM, scope)
    for kind in kinds:
        sink.seen(kind, scope)


def _kind(type: str) -> str:
    """A type as its class spells it."""
    from sickbay.model.kinds import arm_class  # noqa: PLC0415 - msgspec is not needed for text

    return arm_class(type).kind or type.casefold()


def _common_scope(refs: list[Ref]) -> str:
    """The smallest container that holds all of some resources.

    A parent, a group or a subscription.
    """
    keys = [f"{ref.key}/" for ref in refs]
    # What the first and the last in order share, all between them share too.
    first, last = (key.strip("/").split("/") for key in (min(keys), max(keys)))
    shared: list[str] = []
    for word, other in zip(first, last, strict=False):
        if word != other:
            break
        shared.append(word)
    # An id is pairs of words; behind `providers` the namespace stands before them.
    if "providers" in shared:
        at = len(shared) - 1 - shared[::-1].index("providers")
        names = shared[at + 2 :]
        shared = shared[: at + 2 + len(names) // 2 * 2] if len(names) > 1 else shared[:at]
        if len(shared) == len(first):
            shared = shared[:-2] if len(names) > 2 else shared[:at]  # noqa: PLR2004
    else:
        shared = shared[: len(shared) // 2 * 2]
    return "/" + "/".join(shared)
