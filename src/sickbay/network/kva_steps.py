"""The six steps of a KVA timeout: which fails first, and what those that pass rule out."""

from collections.abc import Iterator
from typing import Final

from sickbay.model.host import ApplianceVm, ManagementMachine
from sickbay.model.probe import DNS_FAILURES, Probe, Result, Role, Vantage, Way
from sickbay.model.snapshot import Snapshot
from sickbay.record import NamedTuple

# What a step is about, and what is excluded once it passes.
STEPS: Final = {
    1: (
        "logs of the appliance VM can be collected over SSH",
        "a closed port 22 and a missing or refused key for logs",
    ),
    2: (
        "the management machine reaches the appliance VM and the control plane",
        "a firewall or route between the management machine and the appliance, and a lost address",
    ),
    3: (
        "the appliance VM and the management machine reach the private cloud and each other",
        "closed ports of vCenter or of the cloud agent",
    ),
    4: (
        "the required URLs are reached",
        "a missing way to the internet, blocked URLs, a refusing proxy and TLS inspection",
    ),
    5: (
        "the management machine, or its proxy, resolves internal and external names",
        "the DNS servers of the management machine and of the proxy",
    ),
    6: (
        "the DNS servers of the appliance resolve internal and external names",
        "the DNS servers in the configuration files",
    ),
}
_MOST_NAMED: Final = 2


class Walked(NamedTuple):
    """One step: how often it was tried from each place, and what failed there."""

    number: int
    tries: int
    failures: tuple[tuple[str, Probe], ...]

    @property
    def passes(self) -> bool:
        return self.tries > 0 and not self.failures

    @property
    def fails(self) -> bool:
        return bool(self.failures)

    @property
    def says(self) -> str:
        """What fails at this step, from where."""
        told = [f"from the {place}, {probe.says}" for place, probe in self.failures]
        more = len(told) - _MOST_NAMED
        rest = f" and {more} other{'s' if more > 1 else ''}" if more > 0 else ""
        return "; ".join(told[:_MOST_NAMED]) + rest


def walked(machine: ManagementMachine, snapshot: Snapshot) -> tuple[Walked, ...]:
    """All six steps, from every place that was reached."""
    places: list[Vantage] = [machine, *_appliances(machine, snapshot)]
    return tuple(
        Walked(
            number,
            sum(len(_tries(number, place)) for place in places),
            tuple(_failures(number, places)),
        )
        for number in STEPS
    )


def step_of(probe: Probe, place: Vantage) -> int:
    """The step that a probe belongs to; what only names keep from working is a matter of names."""
    is_machine = isinstance(place, ManagementMachine)
    names = 5 if is_machine else 6
    if probe.way == Way.LOGIN:
        return 1
    if probe.role in (Role.APPLIANCE, Role.CONTROL_PLANE):
        return 2
    if probe.way == Way.DNS:
        return 6 if probe.via else names
    if probe.result in DNS_FAILURES:
        return names
    if probe.result == Result.PROXY_BLIND:
        return 5
    return 4 if probe.role == Role.URL else 3


def first_failing(steps: tuple[Walked, ...]) -> Walked | None:
    return next((step for step in steps if step.fails), None)


def account(steps: tuple[Walked, ...]) -> str:
    """Which step fails first, and what the others tell."""
    first = first_failing(steps)
    if first is None:
        seen = ", ".join(str(step.number) for step in steps if step.passes)
        return f"steps {seen} of the six pass" if seen else "none of the six steps was looked at"
    parts = [f"step {first.number} of the six fails first: {first.says}"]
    passing = [step.number for step in steps if step.passes]
    if passing:
        excluded = "; ".join(STEPS[number][1] for number in passing)
        verb = "pass" if len(passing) > 1 else "passes"
        parts.append(f"{_listed(passing)} {verb}, which rules out {excluded}")
    later = [step.number for step in steps if step.fails and step is not first]
    if later:
        parts.append(f"{_listed(later)} {'fail' if len(later) > 1 else 'fails'} as well")
    unseen = [step.number for step in steps if not step.tries]
    if unseen:
        parts.append(f"{_listed(unseen)} could not be looked at")
    return ". ".join(parts)


def _tries(number: int, place: Vantage) -> list[Probe]:
    return [probe for probe in place.probes if step_of(probe, place) == number]


def _listed(numbers: list[int]) -> str:
    word = "steps" if len(numbers) > 1 else "step"
    return f"{word} {', '.join(map(str, numbers))}"


def _appliances(machine: ManagementMachine, snapshot: Snapshot) -> list[ApplianceVm]:
    if not snapshot.holds(ApplianceVm.kind):
        return []
    vms = snapshot.some(ApplianceVm)
    return [vm for vm in vms if vm.appliance == machine.appliance]


def _failures(number: int, places: list[Vantage]) -> Iterator[tuple[str, Probe]]:
    is_cut_off = _is_cut_off(places[0])
    for place in places:
        for probe in _tries(number, place):
            # Without a way to the VM there is no login either: that is step 2, not step 1.
            is_excused = number == 1 and is_cut_off
            if probe.is_failure and not is_excused and _counts(probe, place, places[1:]):
                yield place.place, probe


def _counts(probe: Probe, place: Vantage, others: list[Vantage]) -> bool:
    """Whether a failure tells something; the appliance knows its own DNS servers best."""
    if isinstance(place, ApplianceVm) or probe.way != Way.DNS or not probe.via:
        return True
    # From here a server may be closed that the appliance reaches: only its words count.
    return not others and probe.result != Result.SERVER_SILENT


def _is_cut_off(machine: Vantage) -> bool:
    """Whether the address of the appliance VM gave no answer at all."""
    return any(
        probe.role == Role.APPLIANCE and probe.way == Way.REACH and probe.result != Result.OK
        for probe in machine.probes
    )
