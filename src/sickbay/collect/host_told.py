"""What a try over the network told, whoever tried."""

from collections.abc import Sequence
from typing import Protocol

from sickbay.collect.host_proxies import ProxyAddress
from sickbay.model.probe import Result
from sickbay.record import NamedTuple


class Told(NamedTuple):
    """How a try ended, and what was learned on the way."""

    result: Result = Result.OK
    detail: str = ""
    issuer: str = ""
    addresses: tuple[str, ...] = ()
    # By how many seconds the clock here is ahead of the one that answered.
    ahead: float | None = None

    @property
    def is_ok(self) -> bool:
        return self.result is Result.OK


class Network(Protocol):
    """A place from which things can be tried: this machine, or one that we are logged in to."""

    async def reach(self, address: str, ports: Sequence[int]) -> Told:
        """Whether an address answers at all: to a ping, or on a port, open or closed."""

    async def tcp(self, host: str, port: int) -> Told:
        """Whether a port accepts a connection."""

    async def resolve(self, name: str, server: str = "") -> Told:
        """Whether a name is known: to a DNS server, or to the machine itself."""

    async def https(self, host: str, proxy: ProxyAddress | None) -> Told:
        """Whether a web server answers, directly or through a proxy; any status is an answer."""
