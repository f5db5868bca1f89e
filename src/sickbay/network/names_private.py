"""Whether nodes find the private endpoint of something that answers nowhere else."""

from sickbay.model.evidence import UnseenError
from sickbay.model.finding import Clear, Match, Weight
from sickbay.model.naming import ZoneLink
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import subnets_of_nodes
from sickbay.model.vaults import Guarded
from sickbay.network.names import resolve
from sickbay.network.names_zones import zones_of
from sickbay.network.traffic import Verdict


def way_past(
    guard: Guarded, host: str, zone: str, snapshot: Snapshot, *, is_felt: bool = False
) -> Match | Clear:
    """Judge whether a name leads the nodes past the endpoint; raises where nobody can tell.

    Where something fails by it (`is_felt`), a zone that is not linked is likely the reason, also
    if another one may exist elsewhere.
    """
    if not (guard.is_private and guard.has_private_endpoint):
        return Clear(f"{guard.name} is not behind a private endpoint alone")
    for subnet in subnets_of_nodes(snapshot).values():
        answer = resolve(snapshot, host, subnet)
        if answer.verdict is Verdict.UNKNOWN or (answer.gaps and not answer.addresses):
            blind = [gap for gap in answer.gaps if "zone" in gap.what or "network" in gap.what]
            # Whoever read none of its links knows nothing of where it is linked.
            found = zones_of(snapshot).get(zone, ())
            has_links = snapshot.has_seen(ZoneLink.kind) or any(one.links for one in found)
            seen = is_felt and bool(found) and has_links
            if blind and not seen:
                raise UnseenError(blind[0])
        if answer.addresses or answer.verdict is Verdict.UNKNOWN:
            continue
        by, network = next(iter(answer.considered), None), subnet.rpartition("/subnets/")[0]
        return Match(
            f"{host} does not lead to the private endpoint of {guard.name} "
            f"from {network.rpartition('/')[2]}"
            + (f": {by.kind} {by.name} {by.says}" if by else ""),
            facts={"host": host, "zone": zone, "network": network},
            cites=(guard.cite("properties.publicNetworkAccess", guard.public_network_access),),
            subject=guard.ref,
            weight=Weight.TYPICAL if answer.gaps and is_felt else None,
        )
    return Clear(f"the nodes resolve {host} to an address that zones hold")
