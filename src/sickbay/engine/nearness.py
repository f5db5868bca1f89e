"""Whether a cause is about the target, or about something that only lies beside it.

A group holds other people's work too: what failed there does not come before what ails the target.
"""

from collections.abc import Iterator
from typing import Final

from sickbay.engine.catalog import Catalog
from sickbay.engine.kinship import Kinship
from sickbay.engine.target import PATIENTS, hit_by
from sickbay.model.diagnosis import Cause, Target
from sickbay.model.ids import Ref, arm

# What was deployed together; only its parts say whom it is about.
_TOGETHER: Final = "microsoft.resources/deployments"


class Nearness:
    """Tells causes that stand on or under the targets from those beside them."""

    def __init__(self, catalog: Catalog, kinship: Kinship, target: Target) -> None:
        self._catalog, self._kinship = catalog, kinship
        one = Ref(target.kind, target.id)
        is_one = one.is_arm and one.kind.casefold() in PATIENTS
        self._targets = frozenset(kinship.snapshot.targets or ([one] if is_one else ()))
        self._groups = [
            str(getattr(kinship.snapshot.find(one), "node_group_id", "")).casefold()
            for one in self._targets
        ]
        self._known: dict[Ref, bool] = {}

    def is_beside(self, cause: Cause) -> bool:
        """Whether neither it nor anything that it explains has to do with a target."""
        # What is felt in the whole cluster was found by looking from the cluster.
        if not self._targets or self._catalog.card(cause.rule).spreads:
            return False
        subjects = (cause.subject, *cause.also, *(one.subject for one in cause.explains))
        return not any(self._is_near(subject) for subject in subjects)

    def _is_near(self, ref: Ref) -> bool:
        if ref not in self._known:
            self._known[ref] = self._has_no_place(ref) or any(
                self._is_kin(one) for one in _with_those_above(ref)
            )
        return self._known[ref]

    def _has_no_place(self, ref: Ref) -> bool:
        """Whether a thing is in no group, or says too little of where it is."""
        return not ref.is_arm or not ref.group or ref.kind.casefold() == _TOGETHER

    def _is_kin(self, ref: Ref) -> bool:
        scope = f"{ref.key}/"
        if ref in self._targets or any(one.key.startswith(scope) for one in self._targets):
            return True
        if any(group and scope.startswith(f"{group}/") for group in self._groups):
            return True
        kinship = self._kinship
        if any(ref in kinship.stands_on(target) for target in self._targets):
            return True
        return bool(hit_by(ref, self._targets, kinship))


def _with_those_above(ref: Ref) -> Iterator[Ref]:
    """A resource and what it is a part of, up to its group, which holds much else."""
    yield ref
    while ref.parent and "/providers/" in ref.parent.casefold():
        ref = arm(ref.parent)
        yield ref
