"""Groups of pods with the policies that rule them; groups that are treated alike become one."""

from collections.abc import Iterable
from typing import NamedTuple

from sickbay.model.snapshot import Snapshot
from sickbay.network.matrix_groups import Group
from sickbay.network.matrix_rulings import Asker, Askers
from sickbay.network.policy_crowd import Crowd
from sickbay.network.policy_ends import End, pod_end
from sickbay.network.policy_rules import Direction
from sickbay.network.policy_tests import Test
from sickbay.network.policy_tiers import in_play


class Seat(NamedTuple):
    """A group and its policies in both directions; its place in the list is its place in crowds."""

    row: str
    group: Group
    end: End
    out: Asker
    into: Asker


def seated(snapshot: Snapshot, groups: Iterable[Group]) -> list[Seat]:
    """The seats of some groups, as few as policies can tell apart."""
    askers = Askers()
    seats = [_seat(snapshot, group, askers) for group in groups]
    merged: dict[object, list[Seat]] = {}
    for seat, treated in zip(seats, _treatments(seats), strict=True):
        merged.setdefault((_nature(seat), treated), []).append(seat)
    found = [_one_of(alike) for alike in merged.values()]
    return sorted(found, key=lambda seat: (seat.group.pod.namespace, seat.group.pod.name))


def _seat(snapshot: Snapshot, group: Group, askers: Askers) -> Seat:
    end = pod_end(snapshot, group.pod)
    return Seat(
        f"pod/{end.label}",
        group,
        end,
        askers.asker(end, in_play(snapshot, end, Direction.EGRESS)),
        askers.asker(end, in_play(snapshot, end, Direction.INGRESS)),
    )


def _nature(seat: Seat) -> tuple[object, ...]:
    end, group = seat.end, seat.group
    asked = (seat.out.number, seat.into.number)
    return group.pod.namespace, end.is_host, end.families, asked, group.declared, group.named


def _treatments(seats: list[Seat]) -> Iterable[tuple[str, ...]]:
    """For each seat, the answers that it gives to all questions of the policies in play."""
    tests = _questions(seats)
    ends = [seat.end for seat in seats]
    columns = []
    for family in sorted({family for end in ends for family in end.families} or {4}):
        crowd = Crowd(ends, family)
        for test in tests:
            who = crowd.who(test)
            columns += [mask for mask in who if mask]
    # The highest bit comes first in a number's digits.
    digits = [format(mask, f"0{len(seats)}b")[::-1] for mask in dict.fromkeys(columns)]
    return zip(*digits, strict=True) if digits else [()] * len(seats)


def _questions(seats: list[Seat]) -> list[Test]:
    found: dict[tuple[type, object], Test] = {}
    asked: set[int] = set()
    for asker in (asker for seat in seats for asker in (seat.out, seat.into)):
        if asker.number in asked:
            continue
        asked.add(asker.number)
        for policy, _ in asker.found.policies:
            for rule in (rule for rules in policy.rules.values() for rule in rules):
                found.update({(type(test), test): test for test in rule.peers or ()})
    return list(found.values())


def _one_of(alike: list[Seat]) -> Seat:
    """The seat of several groups: the first by name stands for all their members."""
    if len(alike) == 1:
        return alike[0]
    first = min(alike, key=lambda seat: seat.group.pod.name)
    members = [pod for seat in alike for pod in seat.group.members]
    members.sort(key=lambda pod: pod.name)
    return first._replace(group=first.group._replace(members=members))
