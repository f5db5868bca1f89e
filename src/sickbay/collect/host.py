"""The management machine as a source: what it is, and what it reaches of Azure."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from sickbay.bundle.sink import Sink
from sickbay.collect.host_machine import Machine
from sickbay.collect.source import Look
from sickbay.network.appliance_urls import MACHINE, RequiredUrl, required_urls
from sickbay.progress import Observer, Stage
from sickbay.record import NamedTuple

if TYPE_CHECKING:
    from sickbay.collect.host_probes import Pending
    from sickbay.model.probe import Probe

NAME: Final = "management-machine"
ORIGIN: Final = "host"


class Asked(NamedTuple):
    """Which machine is looked at, where its bridge is, and whom it trusts besides."""

    machine: Machine
    region: str = ""
    ca_file: str = ""


class Host:
    """Reads the machine that this runs on."""

    name = "host"

    def __init__(self, asked: Asked) -> None:
        self._asked = asked

    def plan(self) -> Sequence[Look]:
        return looks_here(required_urls(MACHINE, "", self._asked.region))

    async def read(self, sink: Sink, observer: Observer) -> None:
        # A dry run needs no network.
        from sickbay.collect.host_net import Here  # noqa: PLC0415
        from sickbay.collect.host_probes import Bridge, names, outside  # noqa: PLC0415

        observer(Stage("trying what this machine reaches"))
        machine = self._asked.machine
        here = Here(machine.system, machine.run, self._asked.ca_file)
        proxies = machine.proxies
        urls = required_urls(MACHINE, "", self._asked.region)

        def pending() -> "Iterator[Pending]":
            yield from outside(here, urls, proxies)
            yield from names(here, Bridge("", proxies=proxies), ())

        try:
            await note_machine(machine, pending(), sink)
        finally:
            here.close()


def looks_here(urls: Sequence[RequiredUrl]) -> tuple[Look, ...]:
    """What would be looked at on this machine."""
    return (
        Look("host", "the Azure CLI, its extensions and the width of its Python", "az version"),
        Look("host", "what earlier deployments left", "~/.wssd"),
        Look("host", "whether kubeconfig and kubelogin fit", "~/.kube/config"),
        *(Look("host", row.purpose, f"https://{row.host}") for row in urls),
    )


async def note_machine(
    machine: Machine,
    pending: "Iterator[Pending]",
    sink: Sink,
    appliance: str = "",
    extra: "Sequence[Probe]" = (),
) -> None:
    """Note this machine as a vantage point, with its state and what it saw."""
    from sickbay.collect.host_probes import clock_of, gathered  # noqa: PLC0415
    from sickbay.collect.host_state import state_of  # noqa: PLC0415
    from sickbay.model.entity import Metadata  # noqa: PLC0415
    from sickbay.model.evidence import Origin  # noqa: PLC0415
    from sickbay.model.host import ManagementMachine  # noqa: PLC0415

    state, seen = await asyncio.gather(state_of(machine), gathered(pending))
    ahead, compared = clock_of(seen)
    noted = ManagementMachine(
        metadata=Metadata(name=NAME),
        appliance=appliance,
        probes=[*extra, *(probe for probe, _ in seen)],
        clock_ahead_seconds=ahead,
        clock_compared_to=compared,
        **state,
    )
    sink.entity(noted, Origin(ORIGIN))
