"""An Arc resource bridge as a source: its files, and the six steps from each end of it."""

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from sickbay.bundle.sink import Sink
from sickbay.collect import host_probes as probes
from sickbay.collect.appliance_files import VcenterLogin, files_of
from sickbay.collect.host import looks_here, note_machine
from sickbay.collect.host_machine import Machine
from sickbay.collect.host_told import Told
from sickbay.collect.source import Look
from sickbay.model.entity import Metadata
from sickbay.model.evidence import Gap, Origin, Reason
from sickbay.model.host import ApplianceVm
from sickbay.model.host_vcenter import VcenterAccount, VcenterPlace
from sickbay.model.probe import Probe, Result, Role, Way
from sickbay.network.appliance_urls import APPLIANCE, MACHINE, required_urls
from sickbay.progress import Observer, Stage
from sickbay.record import NamedTuple

if TYPE_CHECKING:
    from sickbay.collect.host_told import Network
    from sickbay.collect.ssh import Login, Shell
    from sickbay.collect.vcenter import Seen

USER: Final = "clouduser"
_KEY: Final = ".KVA/.ssh/logkey"
_SSH: Final = 22


class Wanted(NamedTuple):
    """Which bridge, from which machine, and how it is logged in to."""

    folder: str
    machine: Machine
    address: str = ""
    user: str = USER
    key_file: str = ""
    ca_file: str = ""
    vcenter_user: str = ""

    @property
    def key(self) -> str:
        return self.key_file or f"{self.machine.home}/{_KEY}"


class Appliance:
    """Reads a resource bridge and its surroundings, from this machine and from its own VM."""

    name = "appliance"

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._files = files_of(wanted.folder)

    def plan(self) -> Sequence[Look]:
        bridge = self._files.bridge
        vm = ", ".join(bridge.vm_addresses) or self._wanted.address
        urls = required_urls(APPLIANCE, bridge.provider, bridge.region)
        return (
            *(Look("appliance", "its files", name) for name, _ in self._files.evidence),
            Look("appliance", "the appliance VM: ping, SSH, logs", vm, f"the key {_KEY}"),
            Look("appliance", "the control plane: ping, port 6443", bridge.control_plane),
            Look("appliance", "the private cloud, from both ends", bridge.fabric),
            Look("appliance", "its DNS servers, from both ends", ", ".join(bridge.dns_servers)),
            *(Look("appliance", row.purpose, f"https://{row.host}") for row in urls),
            Look("vcenter", "privileges, folders, pools and templates", bridge.fabric, "its login"),
            *looks_here(required_urls(MACHINE, bridge.provider, bridge.region)),
        )

    async def read(self, sink: Sink, observer: Observer) -> None:
        from sickbay.collect.host_net import Here  # noqa: PLC0415 - a dry run needs no network

        self._files.note(sink)
        machine = self._wanted.machine
        here = Here(machine.system, machine.run, self._wanted.ca_file)
        observer(Stage("walking the six steps"))
        try:
            await asyncio.gather(self._walk(here, sink), self._vcenter(here, sink))
        finally:
            here.close()

    async def _walk(self, here: "Network", sink: Sink) -> None:
        reach = await self._reached(here)
        if reach is None:
            what = "the appliance VM: the files do not name its address"
            hint = "give it with --appliance-ip ADDRESS"
            sink.gap(Gap("appliance", what, Reason.NOT_COLLECTED, hint, asked_for=True))
        shell, login = await self._logged_in(reach, sink) if reach else (None, None)
        first = [probe for probe in (login, reach) if probe]
        noting = note_machine(
            self._wanted.machine, self._from_here(here), sink, self._files.bridge.name, first
        )
        if shell is None:
            await noting
            return
        try:
            await asyncio.gather(noting, self._note_vm(shell, sink))
        finally:
            await shell.close()

    async def _reached(self, here: "Network") -> Probe | None:
        """The address of the VM that answers, or else the first one, and how that ended."""
        named = (self._wanted.address,) if self._wanted.address else self._files.bridge.vm_addresses
        tries = [
            (
                Probe(way=Way.REACH, role=Role.APPLIANCE, target=address),
                partial(here.reach, address, probes.OWN_PORTS),
            )
            for address in named
        ]
        tried = [probe for probe, _ in await probes.gathered(iter(tries))]
        answering = [probe for probe in tried if not probe.is_failure]
        return next(iter(answering or tried), None)

    async def _logged_in(self, reach: Probe, sink: Sink) -> "tuple[Shell | None, Probe]":
        from sickbay.collect.ssh import Login, LoginError, Shell  # noqa: PLC0415

        wanted, address = self._wanted, reach.target
        probe = Probe(way=Way.LOGIN, role=Role.APPLIANCE, target=address, port=_SSH)
        login = Login(address, wanted.user, wanted.key)
        if reach.is_failure:
            # Port 22 was among those that gave no answer.
            sink.gap(_no_login(login, Result.NO_SSH))
            return None, probes.with_result(probe, Told(Result.NO_SSH))
        try:
            shell = await Shell.open(login)
        except LoginError as error:
            sink.gap(_no_login(login, error.told.result))
            return None, probes.with_result(probe, error.told)
        probe = Probe(
            way=Way.LOGIN,
            role=Role.APPLIANCE,
            target=address,
            port=_SSH,
            detail=f"host key {shell.host_key}, not checked",
        )
        return shell, probe

    def _from_here(self, here: "Network") -> "Iterator[probes.Pending]":
        bridge = self._files.bridge
        proxies = self._wanted.machine.proxies
        yield from probes.control_plane(here, bridge)
        yield from probes.fabric(here, bridge)
        yield from probes.outside(
            here, required_urls(MACHINE, bridge.provider, bridge.region), proxies
        )
        yield from probes.names(here, bridge._replace(proxies=proxies), ())
        yield from probes.names(here, bridge, bridge.dns_servers) if bridge.dns_servers else ()

    async def _note_vm(self, shell: "Shell", sink: Sink) -> None:
        from sickbay.collect.appliance_inside import inside, note_logs  # noqa: PLC0415
        from sickbay.collect.appliance_shell import FromAppliance  # noqa: PLC0415

        there = FromAppliance(shell)
        told, seen, _ = await asyncio.gather(
            inside(shell),
            probes.gathered(self._from_there(there, shell.own_address)),
            note_logs(shell, sink),
        )
        vm = ApplianceVm(
            metadata=Metadata(name=f"{self._files.bridge.name}-vm"),
            appliance=self._files.bridge.name,
            probes=[probe for probe, _ in seen],
            clock_ahead_seconds=told.ahead,
            clock_compared_to="the management machine",
            addresses=told.addresses,
            etcd_sync_milliseconds=told.etcd_sync_milliseconds,
        )
        sink.entity(vm, Origin("appliance"))

    def _from_there(self, there: "Network", own_address: str) -> "Iterator[probes.Pending]":
        bridge = self._files.bridge
        yield from probes.control_plane(there, bridge)
        yield from probes.fabric(there, bridge)
        yield from probes.machine(there, own_address)
        yield from probes.outside(
            there, required_urls(APPLIANCE, bridge.provider, bridge.region), bridge.proxies
        )
        yield from probes.names(there, bridge, bridge.dns_servers)

    async def _vcenter(self, here: "Network", sink: Sink) -> None:
        """What vCenter says of the account and of the places in the files."""
        login = self._login()
        if login is None:
            return
        if not login.password:
            hint = "put it into the file or into SICKBAY_VCENTER_PASSWORD"
            what = f"privileges and folders: no password of {login.user or 'an account'} is given"
            sink.gap(Gap("vcenter", what, Reason.NOT_COLLECTED, hint))
            return
        from sickbay.collect.vcenter import PORT, VcenterError, look  # noqa: PLC0415 - slow

        # The library waits long for a server that does not answer.
        reached = await probes.tried_again(partial(here.tcp, login.address, PORT))
        if not reached.is_ok:
            what = f"privileges and folders: {login.address}:{PORT} {reached.result}"
            sink.gap(Gap("vcenter", what, Reason.UNREACHABLE, "open the way", asked_for=True))
            return
        try:
            seen = await asyncio.to_thread(look, login, self._files.placement, self._wanted.ca_file)
        except VcenterError as error:
            hint = "give its certificate with --ca-file, or another account with --vcenter-user"
            what = f"privileges and folders in {login.address}: {error}"
            reason = Reason.FORBIDDEN if error.is_login else Reason.UNREACHABLE
            sink.gap(Gap("vcenter", what, reason, hint, asked_for=True))
            return
        note_vcenter(seen, self._files.bridge.name, sink)

    def _login(self) -> VcenterLogin | None:
        login = self._files.vcenter
        if login is None:
            return None
        kept = self._wanted.machine.environment.get("SICKBAY_VCENTER_PASSWORD", "")
        user = self._wanted.vcenter_user or login.user
        return login._replace(user=user, password=kept or login.password)


def note_vcenter(seen: "Seen", appliance: str, sink: Sink) -> None:
    """Note the account of a bridge, and the places that its files name."""
    origin = Origin("vcenter")
    account = VcenterAccount(
        metadata=Metadata(name=seen.user.rpartition("\\")[2]),
        appliance=appliance,
        held=list(seen.held),
        is_worked_out=seen.is_worked_out,
    )
    sink.entity(account, origin)
    for place in seen.places:
        sink.entity(
            VcenterPlace(
                metadata=Metadata(name=f"{appliance}-{place.setting}"),
                appliance=appliance,
                setting=place.setting,
                named=place.named,
                path=place.path,
                child_types=list(place.child_types),
                is_host_pool=place.is_host_pool,
            ),
            origin,
        )


def _no_login(login: "Login", result: Result) -> Gap:
    """That the VM could not be asked, and what would let us."""
    reasons = {Result.KEY_MISSING: Reason.NOT_COLLECTED, Result.KEY_REFUSED: Reason.FORBIDDEN}
    return Gap(
        "appliance",
        f"what the appliance VM itself sees: {login.address} {result}",
        reasons.get(result, Reason.UNREACHABLE),
        f"let {login.user}@{login.address} log in with the key for logs (--logkey FILE)",
        asked_for=True,
    )
