"""Whether the security groups of the nodes let the clients of a load balancer in."""

from typing import Final

from sickbay.model.evidence import UnseenError
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network import nsg
from sickbay.network.exposure import addresses_of, source_ranges
from sickbay.network.flow import Flow
from sickbay.network.node_subnets import node_subnets
from sickbay.network.nsg_ranges import is_public
from sickbay.network.prefixes import parse
from sickbay.network.traffic import Decision, Traffic, Verdict

_EVERYBODY: Final = ("", "0.0.0.0/0", "Internet")


def public_address(snapshot: Snapshot, service: Service) -> str:
    """The first address of a service that the internet can reach, or an empty string."""
    found = (one for one in addresses_of(snapshot, service) if is_public_address(one))
    return next(found, "")


def is_public_address(text: str) -> bool:
    prefix = parse(text)
    return prefix is not None and prefix.size == 1 and is_public(prefix)


def closed_at(snapshot: Snapshot, service: Service, traffic: Traffic) -> Decision | None:
    """The first decision at a subnet of nodes that keeps clients from a port; None when none does.

    Clients are those of the first range that the service admits, or the internet as a whole. Raises
    UnseenError where something that decides was not read, or lets only some of them in.
    """
    source = next(iter(source_ranges(service)), "")
    is_internet = source in _EVERYBODY
    address = public_address(snapshot, service)
    flow = Flow("" if is_internet else source, address, *traffic, is_internet)
    for place in node_subnets(snapshot):
        decision = nsg.decide(snapshot, nsg.Crossing("Inbound", place.subnet, place.nic), flow)
        if decision and decision.verdict is Verdict.UNKNOWN:
            raise UnseenError(decision.gaps[0])
        if decision and decision.verdict is Verdict.BLOCKED:
            return decision
    return None
