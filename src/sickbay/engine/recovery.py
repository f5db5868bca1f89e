"""Leaves out what is over: a warning about a pod that is well now, as its own document shows."""

from collections.abc import Iterable
from typing import Final

from sickbay.engine.ledger import Heard
from sickbay.model.snapshot import Snapshot

_EVENT: Final = "event"
_POD: Final = "Pod"
_UNPLACED: Final = "FailedScheduling"
# What comes back so often is not over, although the pod is up at this moment.
_OFTEN: Final = 5


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
