"""Words that a record must hold before a pattern is worth a look, asked as cheaply as can be.

Most of what a filter finds in a calm log is nothing: these questions are the most that it costs.
"""

# A word, or words of which one must be there.
Need = bytes | tuple[bytes, ...]
# What one way to match needs.
Way = tuple[Need, ...]
Words = tuple[Way, ...]


def is_met(way: Way, record: bytes) -> bool:
    """Whether a record in lower case holds what one way to match needs."""
    return all(_holds(record, need) for need in way)


def _holds(record: bytes, need: Need) -> bool:
    if type(need) is bytes:
        return need in record
    # A loop costs a third of a generator, and this is asked for each find.
    for word in need:  # noqa: SIM110
        if word in record:
            return True
    return False


class Needs:
    """What the ways to match a pattern need: what all share is asked first, and nothing twice."""

    __slots__ = ("_distinct", "_shared", "_ways")

    def __init__(self, ways: Words) -> None:
        shared = set(ways[0]).intersection(*ways[1:])
        self._shared = tuple(need for need in ways[0] if need in shared)
        rests = [tuple(need for need in way if need not in shared) for way in ways]
        self._distinct = tuple(dict.fromkeys(need for rest in rests for need in rest))
        number = {need: at for at, need in enumerate(self._distinct)}
        # With a way that needs no more than the others share, that is all to ask.
        whole = all(rests)
        self._ways = tuple(tuple(number[need] for need in rest) for rest in rests) if whole else ()

    def are_met(self, record: bytes) -> bool:
        """Whether a record in lower case holds what some way to match needs."""
        for need in self._shared:
            if not _holds(record, need):
                return False
        return not self._ways or self._is_any_met(record)

    def _is_any_met(self, record: bytes) -> bool:
        known: list[bool | None] = [None] * len(self._distinct)
        for way in self._ways:
            for number in way:
                answer = known[number]
                if answer is None:
                    answer = known[number] = _holds(record, self._distinct[number])
                if not answer:
                    break
            else:
                return True
        return False
