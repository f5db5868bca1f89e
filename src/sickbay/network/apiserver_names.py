"""Why the private name of an API server does not resolve where its nodes are, told apart."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from sickbay.model.aks import ManagedCluster
from sickbay.model.azure import VirtualNetwork
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import Ref, arm
from sickbay.model.snapshot import Snapshot
from sickbay.network.egress import pools_of
from sickbay.network.names import Resolution, resolve
from sickbay.network.names_endpoints import server_addresses
from sickbay.network.names_servers import AZURE_DNS, ask_server
from sickbay.network.names_zones import present
from sickbay.network.nsg_ranges import is_public
from sickbay.network.prefixes import contains, parse
from sickbay.network.traffic import Decider, Verdict

_ZONE = "PrivateDnsZone"
_SERVER = "DnsServer"
_HOLDS = "holds"


class Fault(StrEnum):
    """What is wrong with a name."""

    # A zone has the record, and is not linked to the network that asks it.
    UNLINKED = "unlinked"
    # The zone that answers has no record.
    MISSING = "missing"
    # The zone that answers has a record with another address than the API server's.
    STALE = "stale"
    # The DNS servers of the network do not ask Azure's DNS.
    SERVER = "server"


class Trouble(NamedTuple):
    """Why a name does not resolve.

    `network` is the ARM id of the network that does not get the answer; not `is_certain` when it
    is that of a DNS server whose own rules were not read.
    """

    fault: Fault
    by: Decider
    network: str
    zone: Ref | None = None
    addresses: tuple[str, ...] = ()
    is_certain: bool = True


class _Answer(NamedTuple):
    network: str
    resolution: Resolution
    is_certain: bool = True


def trouble(snapshot: Snapshot, cluster: ManagedCluster, fault: Fault) -> Trouble | None:
    """Whether nodes of a private cluster miss its name for one reason.

    Raises UnseenError when that cannot be told.
    """
    answers = list(_answers(snapshot, cluster))
    for answer in answers:
        found = _told(snapshot, answer)
        if found and found.fault is fault:
            return found
    for answer in answers:
        is_open = answer.resolution.verdict is Verdict.UNKNOWN
        if is_open and (fault is Fault.SERVER or not _has_home(snapshot, answer)):
            raise UnseenError(_gap(answer, cluster))
    return None


def relative_name(cluster: ManagedCluster, zone: Ref | None) -> str:
    """The name of the API server's record inside its zone."""
    name = (cluster.private_fqdn or "").rstrip(".")
    return name.removesuffix(f".{zone.name}") if zone else name


def right_address(snapshot: Snapshot, cluster: ManagedCluster) -> str:
    """The private address of the API server, or an empty string."""
    return next(iter(server_addresses(snapshot, cluster)), "")


def _answers(snapshot: Snapshot, cluster: ManagedCluster) -> Iterator[_Answer]:
    name = cluster.private_fqdn or ""
    if not name or not cluster.is_private:
        return
    for network in _networks(snapshot, cluster):
        resolution = resolve(snapshot, name, network)
        yield _Answer(network, resolution)
        home = _home(snapshot, resolution)
        if home:
            asked = ask_server(snapshot, arm(home).key, AZURE_DNS, name.casefold())
            yield _Answer(home, asked, is_certain=False)


def _networks(snapshot: Snapshot, cluster: ManagedCluster) -> list[str]:
    subnets = [pool.vnet_subnet_id for pool in pools_of(snapshot, cluster)]
    given = {arm(arm(id).parent).key: arm(id).parent for id in subnets if id}
    if given:
        return [given[key] for key in sorted(given)]
    group = f"{cluster.node_group_id.casefold()}/"
    own = (one.ref for one in present(snapshot, VirtualNetwork))
    return [ref.id for ref in sorted(own) if group != "/" and ref.key.startswith(group)]


def _home(snapshot: Snapshot, resolution: Resolution) -> str:
    """The network of a DNS server whose own rules were not read, if evidence tells it."""
    by = resolution.answered_by
    if by is None or by.kind != _SERVER or resolution.verdict is not Verdict.UNKNOWN:
        return ""
    found = [
        network.id
        for network in present(snapshot, VirtualNetwork)
        if any(contains(prefix, by.name) for prefix in network.prefixes)
    ]
    return found[0] if len(found) == 1 else ""


def _has_home(snapshot: Snapshot, answer: _Answer) -> bool:
    """Whether the zone could be asked where the DNS server stands: then only it is in doubt."""
    return bool(_home(snapshot, answer.resolution))


def _told(snapshot: Snapshot, answer: _Answer) -> Trouble | None:
    resolution, by = answer.resolution, answer.resolution.answered_by
    if by is None:
        return None
    if by.kind == _SERVER and _is_outside(by.name):
        says = "is a public DNS server, which knows no private zone"
        return Trouble(Fault.SERVER, by._replace(says=says), answer.network)
    if resolution.verdict is not Verdict.BLOCKED:
        return None
    if by.kind != _ZONE:
        is_server = by.kind in {_SERVER, "AzureFirewall"}
        return Trouble(Fault.SERVER, by, answer.network) if is_server else None
    if resolution.addresses:
        fault = Fault.STALE
    else:
        fault = Fault.MISSING if by.says.startswith(_HOLDS) else Fault.UNLINKED
    network = _named(snapshot, by.says) or answer.network
    return Trouble(fault, by, network, by.ref, resolution.addresses, answer.is_certain)


def _is_outside(address: str) -> bool:
    known = parse(address)
    return known is not None and is_public(known)


def _named(snapshot: Snapshot, says: str) -> str:
    """The network in evidence that a zone says it is not linked to: a resolver's may be another."""
    after = says.partition("not linked to ")[2] or says.partition("so not to ")[2]
    wanted = after.partition(",")[0].casefold()
    found = (one for one in present(snapshot, VirtualNetwork) if one.ref.name.casefold() == wanted)
    return min((one.id for one in found), default="")


def _gap(answer: _Answer, cluster: ManagedCluster) -> Gap:
    if answer.resolution.gaps:
        return answer.resolution.gaps[0]
    name = cluster.private_fqdn or "the API server"
    return Gap("DNS", f"what {name} resolves to", to_open=f"nslookup {name}")
