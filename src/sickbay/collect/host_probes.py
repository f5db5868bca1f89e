"""Which things a place has to reach, and what came of trying them all at once."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

import msgspec

from sickbay.collect.host_net import is_address
from sickbay.collect.host_proxies import proxy_for
from sickbay.collect.host_told import Network, Told
from sickbay.model.probe import Probe, Result, Role, Way
from sickbay.network.appliance_urls import EXTERNAL_NAME, RequiredUrl
from sickbay.record import NamedTuple

_AT_ONCE: Final = 24
_HTTPS: Final = 443
_API: Final = 6443
# What answers on an appliance, if only with a refusal.
OWN_PORTS: Final = (22, 443, _API)
# What may answer on the machine from which we came.
_MACHINE_PORTS: Final = (22, 443, 5985)
_WINRM: Final = (5985, 5986, 8100, 443)
_FABRIC_PORTS: Final = {
    "vsphere": (_HTTPS,),
    "vmware": (_HTTPS,),
    "azurestackhci": (55000, 65000),
    "hci": (55000, 65000),
}

# What a busy machine or a lost packet looks like as well.
_AGAIN: Final = frozenset(
    {
        Result.TIMED_OUT,
        Result.SERVER_SILENT,
        Result.TLS_FAILED,
        Result.PROXY_UNREACHABLE,
        # Some programs say so of a server that did not answer in time, too.
        Result.UNKNOWN_NAME,
    }
)

Try = Callable[[], Awaitable[Told]]
Pending = tuple[Probe, Try]


class Bridge(NamedTuple):
    """What the files of a resource bridge say of its surroundings."""

    name: str
    provider: str = ""
    region: str = ""
    fabric: str = ""
    control_plane: str = ""
    vm_addresses: tuple[str, ...] = ()
    dns_servers: tuple[str, ...] = ()
    # As environment variables would say it; credentials stay in this process.
    proxies: Mapping[str, str] = {}

    def __repr__(self) -> str:
        return f"Bridge({self.name})"


def outside(
    network: Network, urls: Sequence[RequiredUrl], proxies: Mapping[str, str]
) -> Iterator[Pending]:
    """The way to Azure: each URL as a client would ask it."""
    for row in urls:
        proxy = proxy_for(row.host, proxies)
        probe = Probe(
            way=Way.HTTPS,
            role=Role.URL,
            target=row.host,
            port=_HTTPS,
            via=proxy.shown if proxy else "",
        )
        attempt = partial(network.https, row.host, proxy)
        yield probe, partial(_guessed, attempt) if row.is_guess else attempt


async def _guessed(attempt: Try) -> Told:
    known = await attempt()
    is_unknown = known.result is Result.UNKNOWN_NAME
    return known._replace(result=Result.GUESSED) if is_unknown else known


def names(network: Network, bridge: Bridge, servers: Sequence[str]) -> Iterator[Pending]:
    """Internal and external names: by the machine itself, or by each of some DNS servers."""
    for server in servers or ("",):
        if bridge.fabric:
            yield _name(network, Role.INTERNAL, bridge.fabric, server)
        # Whoever goes through a proxy leaves external names to it.
        if proxy_for(EXTERNAL_NAME, bridge.proxies) is None:
            yield _name(network, Role.EXTERNAL, EXTERNAL_NAME, server)


def _name(network: Network, role: Role, name: str, server: str) -> Pending:
    is_asked = server if not is_address(name) else ""
    probe = Probe(way=Way.DNS, role=role, target=name, via=server)
    return probe, partial(network.resolve, name, is_asked)


def fabric(network: Network, bridge: Bridge) -> Iterator[Pending]:
    """The management server of the private cloud."""
    if not bridge.fabric:
        return
    ports = _FABRIC_PORTS.get(bridge.provider)
    if ports is None:
        probe = Probe(way=Way.REACH, role=Role.FABRIC, target=bridge.fabric)
        yield probe, partial(network.reach, bridge.fabric, _WINRM)
        return
    for port in ports:
        probe = Probe(way=Way.TCP, role=Role.FABRIC, target=bridge.fabric, port=port)
        yield probe, partial(network.tcp, bridge.fabric, port)


def control_plane(network: Network, bridge: Bridge) -> Iterator[Pending]:
    """The address of the control plane, and the API server on it."""
    address = bridge.control_plane
    if address:
        reach = Probe(way=Way.REACH, role=Role.CONTROL_PLANE, target=address)
        yield reach, partial(network.reach, address, OWN_PORTS)
        serves = Probe(way=Way.TCP, role=Role.CONTROL_PLANE, target=address, port=_API)
        yield serves, partial(network.tcp, address, _API)


def machine(network: Network, address: str) -> Iterator[Pending]:
    """The management machine, as the appliance VM sees it."""
    if address:
        probe = Probe(way=Way.REACH, role=Role.MACHINE, target=address)
        yield probe, partial(network.reach, address, _MACHINE_PORTS)


async def gathered(pending: Iterator[Pending]) -> list[tuple[Probe, Told]]:
    """What came of all, in the order in which they were asked."""
    limit = asyncio.Semaphore(_AT_ONCE)

    async def limited(attempt: Try) -> Told:
        async with limit:
            return await tried_again(attempt)

    planned = list(pending)
    told = await asyncio.gather(*(limited(attempt) for _, attempt in planned))
    return [(with_result(probe, one), one) for (probe, _), one in zip(planned, told, strict=True)]


async def tried_again(attempt: Try) -> Told:
    """What a try told; one that got no answer is made again: machines are busy, packets are lost.

    Neither try may be the last word against the other: an answer is an answer.
    """
    told = await attempt()
    return await attempt() if told.result in _AGAIN else told


def with_result(probe: Probe, told: Told) -> Probe:
    return msgspec.structs.replace(
        probe, result=told.result.value, detail=told.detail, issuer=told.issuer
    )


def clock_of(seen: Sequence[tuple[Probe, Told]]) -> tuple[float | None, str]:
    """By how much this clock is ahead of most that answered, and of whose."""
    known = sorted((told.ahead, probe.target) for probe, told in seen if told.ahead is not None)
    if not known:
        return None, ""
    ahead, host = known[len(known) // 2]
    return round(ahead, 1), host
