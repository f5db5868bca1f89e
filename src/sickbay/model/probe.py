"""What one machine saw when it tried to reach others: a vantage point and its probes."""

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from sickbay.model.arc import ApplianceInfra
from sickbay.model.entity import KubeEntity, Shape
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import Ref, kube

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot


T = TypeVar("T")


class Way(StrEnum):
    """How something was tried."""

    LOGIN = "login"  # SSH, with the key for logs
    REACH = "reach"  # any answer of an address: to a ping, or of a port, open or closed
    TCP = "tcp"
    DNS = "dns"
    HTTPS = "https"


class Role(StrEnum):
    """What the target is to a resource bridge."""

    APPLIANCE = "appliance VM"
    CONTROL_PLANE = "control plane"
    FABRIC = "private cloud"
    MACHINE = "management machine"
    URL = "required URL"
    INTERNAL = "internal name"
    EXTERNAL = "external name"


class Result(StrEnum):
    """How it ended, as the end of a sentence about the target."""

    OK = "answers"
    TIMED_OUT = "timed out"
    REFUSED = "refuses the connection"
    UNREACHABLE = "cannot be routed to"
    # No answer to a ping, which a firewall on a healthy machine gives as well.
    SILENT = "gives no answer"
    # A name that was made from a wildcard, and need not exist.
    GUESSED = "is a name that may not exist"
    UNKNOWN_NAME = "is a name that is not known"
    SERVER_SILENT = "is asked for, and the DNS server does not answer"
    SERVER_FAILED = "is asked for, and the DNS server fails"
    UNTRUSTED = "shows a certificate that is not trusted"
    TLS_FAILED = "breaks off the TLS handshake"
    PROXY_UNREACHABLE = "is not reached, for the proxy does not answer"
    PROXY_UNKNOWN = "is not reached, for the name of the proxy is not known"
    PROXY_LOGIN = "is not reached, for the proxy wants credentials (407)"
    PROXY_REFUSES = "is refused by the proxy"
    PROXY_BLIND = "is not resolved by the proxy, though its address can be reached through it"
    KEY_MISSING = "cannot be logged in to, for the key for logs is not here"
    KEY_UNREADABLE = "cannot be logged in to, for the key for logs cannot be read"
    KEY_REFUSED = "refuses the key for logs"
    NO_SSH = "does not speak SSH on port 22"


# Results that tell nothing for sure.
_OPEN: Final = frozenset({Result.SILENT, Result.GUESSED})
# What a way through the network does when something on it drops or rejects packets.
CUT_OFF: Final = frozenset({Result.TIMED_OUT, Result.REFUSED, Result.UNREACHABLE})
DNS_FAILURES: Final = frozenset({Result.UNKNOWN_NAME, Result.SERVER_SILENT, Result.SERVER_FAILED})
PROXY_FAILURES: Final = frozenset(
    {
        Result.PROXY_UNREACHABLE,
        Result.PROXY_UNKNOWN,
        Result.PROXY_LOGIN,
        Result.PROXY_REFUSES,
        Result.PROXY_BLIND,
    }
)


class Probe(Shape, frozen=True, gc=False):
    """One try; `via` is the proxy or the DNS server that was asked."""

    way: str = ""
    role: str = ""
    target: str = ""
    port: int | None = None
    via: str = ""
    result: str = Result.OK.value
    detail: str = ""
    # Who signed the certificate that arrived.
    issuer: str = ""

    @property
    def is_failure(self) -> bool:
        return self.result != Result.OK and self.result not in _OPEN

    @property
    def says(self) -> str:
        """The try as a sentence: who, and how it ended."""
        place = f"{self.target}:{self.port}" if self.port else self.target
        through = f" (asked: {self.via})" if self.via else ""
        signed = f", signed by {self.issuer}" if self.issuer and self.is_failure else ""
        told = f": {self.detail}" if self.detail and self.is_failure else ""
        return f"{place} {self.result}{through}{signed}{told}"


class Vantage(KubeEntity, frozen=True, gc=False):
    """A place from which the parts of a resource bridge were tried."""

    place: ClassVar[str] = ""

    # The bridge that was looked at: the name of its files.
    appliance: str = ""
    probes: list[Probe] = []
    # By how much its clock is ahead of the other's.
    clock_ahead_seconds: float | None = None
    clock_compared_to: str = ""

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.appliance:
            yield kube(ApplianceInfra.kind, "", self.appliance)

    @property
    def subject(self) -> Ref:
        """What is ill when a probe fails: the bridge, or the machine when none was looked at."""
        return kube(ApplianceInfra.kind, "", self.appliance) if self.appliance else self.ref

    def known(self, value: T | None, what: str) -> T:
        """A value that this place told; that it did not means that nobody knows."""
        if value is None:
            raise UnseenError(Gap(self.kind, f"{what} of the {self.place}"))
        return value

    def tried(self, role: Role, *ways: Way) -> list[Probe]:
        """The probes of a sort; that there are none means that nobody looked."""
        found = [p for p in self.probes if p.role == role and (not ways or p.way in ways)]
        if not found:
            raise UnseenError(Gap(self.kind, f"{role} as seen from the {self.place}"))
        return found

    def failed(self, role: Role, *ways: Way) -> list[Probe]:
        """The probes of a sort that failed."""
        return [probe for probe in self.tried(role, *ways) if probe.is_failure]


def named(probes: list[Probe], most: int = 4) -> str:
    """The targets of some probes, the first of them by name."""
    targets = list(dict.fromkeys(probe.target for probe in probes))
    more = len(targets) - most
    rest = f" and {more} other{'s' if more > 1 else ''}" if more > 0 else ""
    return ", ".join(targets[:most]) + rest
