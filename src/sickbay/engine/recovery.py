"""Leaves out what is over.

A warning about a pod that is well now, and a failed operation that a later attempt carried through.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from sickbay.bundle.times import seconds_between
from sickbay.engine.ledger import Heard
from sickbay.model.evidence import Text
from sickbay.model.snapshot import Snapshot

_EVENT: Final = "event"
_POD: Final = "Pod"
_UNPLACED: Final = "FailedScheduling"
# What comes back so often is not over, although the pod is up at this moment.
_OFTEN: Final = 5
SUCCEEDED: Final = "activity-log/succeeded"
_MOST_OPERATIONS: Final = 50_000
_MOST_CHARACTERS: Final = 32 << 20


def still_true(heard: Iterable[Heard], snapshot: Snapshot) -> list[Heard]:
    """What was heard, without the events that the documents show to be overcome."""
    return [one for one in heard if not _is_over(one, snapshot)]


def _is_over(heard: Heard, snapshot: Snapshot) -> bool:
    text = heard.text
    if text.channel != _EVENT or text.about is None or text.about.kind != _POD:
        return False
    pod = snapshot.find(text.about)
    if pod is None or pod.is_unwell:
        return False
    return heard.times < _OFTEN or text.text.startswith(_UNPLACED)


class Operations:
    """Holds the failures of an activity log back until all attempts are known."""

    def __init__(self) -> None:
        self._failed: list[Text] = []
        self._characters = 0
        # When an operation on a resource, or a request, last came to a good end.
        self._ended: dict[tuple[str, str], str] = {}

    def takes(self, text: Text) -> bool:
        """Take an event; a failure that cannot be judged, or is one too many, is left."""
        if text.channel == SUCCEEDED:
            self._note(text)
            return True
        is_full = len(self._failed) >= _MOST_OPERATIONS or self._characters >= _MOST_CHARACTERS
        if is_full or not _marks(text):
            return False
        self._failed.append(text)
        self._characters += len(text.text)
        return True

    def lasting(self) -> Iterator[Text]:
        """The failures that nothing later made good."""
        failed, self._failed, self._characters = self._failed, [], 0
        return (text for text in failed if not self._is_overcome(text))

    def _note(self, text: Text) -> None:
        for mark in _marks(text):
            known = self._ended.get(mark)
            if known is None and len(self._ended) >= _MOST_OPERATIONS:
                return
            if known is None or seconds_between(known, text.at) > 0:
                self._ended[mark] = text.at

    def _is_overcome(self, text: Text) -> bool:
        ends = (self._ended.get(mark) for mark in _marks(text))
        return any(end and seconds_between(text.at, end) > 0 for end in ends)


def _marks(text: Text) -> tuple[tuple[str, str], ...]:
    """What two attempts have in common: the resource, and the operation or the request."""
    if text.about is None or not text.at:
        return ()
    operation = text.text.partition(": ")[0].casefold()
    request = text.origin.locator.partition("(correlation id ")[2]
    return tuple((text.about.key, mark) for mark in (operation, request) if mark)
