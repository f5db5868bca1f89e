"""Hears short texts, many at once: what a scan costs to start is paid once for thousands."""

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Final

from sickbay.bundle.unwrap import normal
from sickbay.engine.blocks import LONGEST_RECORD
from sickbay.engine.confirm import Captures
from sickbay.engine.ear import Ear
from sickbay.engine.ledger import Key
from sickbay.engine.veils import DISGUISE, VEIL, is_veiled, unveil
from sickbay.model.evidence import Text

_BLOCK: Final = 1 << 20
_OVERLAP: Final = 4_096
# Between two texts, and between a text and its normal form.
_BETWEEN: Final = "\x1e"
_ALSO: Final = "\x1f"
_MARKS: Final = re.compile(f"[{_BETWEEN}{_ALSO}]")
_ODD: Final = ("\n", "\t", "  ", "\\n", "\\r", "\\t")


class Batch:
    """Texts that wait to be heard. Each is one record, unless it is longer than a record may be."""

    def __init__(self, ear: Ear) -> None:
        self._ear = ear
        self._texts: list[Text] = []
        self._size = 0
        # What the text in hand has said: one text says a thing once, however it was come by.
        self._said: set[Key] = set()
        # The rules that it has shown: two signatures of one rule tell of one record.
        self._told: set[int] = set()

    def add(self, text: Text) -> None:
        self._texts.append(text)
        self._size += len(text.text)
        if self._size >= _BLOCK:
            self.flush()

    def flush(self) -> None:
        """Judge everything added so far."""
        if not self._texts:
            return
        texts, self._texts, self._size = self._texts, [], 0
        if any(len(text.text) > LONGEST_RECORD for text in texts):
            texts = [piece for text in texts for piece in _pieces(text)]
        block = _joined([text.text for text in texts])
        finds = self._ear.scan(block)
        if is_veiled(block, finds):
            block = unveil(block)
            finds = self._ear.scan(block)
        self._judge_all(texts, block, finds)

    def _judge_all(self, texts: list[Text], block: bytes, finds: list[tuple[int, int]]) -> None:
        between = _BETWEEN.encode()
        index = at = 0
        judged: dict[int, int] = {}
        self._turn()
        for number, end in sorted(finds, key=itemgetter(1)):
            passed = block.count(between, at, end)
            if passed:
                self._turn()
            index += passed
            at = end
            if judged.get(number, -1) < index:
                judged[number] = index
                self._judge(number, texts[index])

    def _turn(self) -> None:
        """Go on to another text."""
        self._said.clear()
        self._told.clear()

    def _judge(self, number: int, text: Text) -> None:
        raw = text.text.encode("utf-8", "replace")
        if number == DISGUISE:
            for other, found in self._ear.unmask(raw).items():
                self._hear(other, found, text)
        elif number < VEIL:
            captures = self._ear.glance(number, raw)
            if captures is None:
                captures = self._ear.look(number, raw, len(raw))
            if captures is not None:
                self._hear(number, captures, text)

    def _hear(self, number: int, captures: Captures, text: Text) -> None:
        if not text.at:
            text = text._replace(at=self._ear.ledger.time_of(text.text))
        key = (number, captures, text.about.key if text.about else "")
        if key in self._said:
            return
        self._said.add(key)
        ledger = self._ear.ledger
        entry = ledger.find(key)
        if entry is None:
            entry = ledger.open(key, text)
        else:
            entry.again(text)
        rule = ledger.rule_of(number)
        if rule in self._told:
            entry.shared += text.times
        self._told.add(rule)


def _joined(texts: list[str]) -> bytes:
    """One block of all texts; of those with odd white space also their normal form.

    A phrase of common words is looked for with plain spaces only.
    """
    block = _BETWEEN.join(texts)
    if block.count(_BETWEEN) >= len(texts) or _ALSO in block:
        texts = [_MARKS.sub(" ", text) for text in texts]
        block = _BETWEEN.join(texts)
    if not block.isascii() or any(odd in block for odd in _ODD):
        block = _BETWEEN.join(
            f"{text}{_ALSO}{normal(text)}" if _is_odd(text) else text for text in texts
        )
    return block.encode("utf-8", "replace")


def _is_odd(text: str) -> bool:
    return not text.isascii() or any(odd in text for odd in _ODD)


def _pieces(text: Text) -> Iterator[Text]:
    """A text in pieces of the size of a record, overlapping so that no border hides a match."""
    step = LONGEST_RECORD - _OVERLAP
    for start in range(0, max(1, len(text.text) - _OVERLAP), step):
        yield text._replace(text=text.text[start : start + LONGEST_RECORD])
