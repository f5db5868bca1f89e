"""What Azure lists as required outside, in the form of our own table.

The list knows names that were added since; the table knows what fails without each. The list also
names what only other clusters need (graphics processors, an old tunnel): that is left out.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sickbay.model.egress import EndpointCategory, RequiredEndpoints
from sickbay.model.snapshot import Snapshot
from sickbay.network.egress_table import (
    BASE,
    EVERY_CLOUD,
    GPU,
    LINUX,
    OLD_TIME,
    OLD_TUNNEL,
    PUBLIC_SERVER,
    WINDOWS,
    Row,
)


class _Meaning(NamedTuple):
    """The feature of our table that a category belongs to, and a name of it that stands for all."""

    feature: str
    like: str = ""


_CATEGORIES: Final = {
    "azure-resource-management": _Meaning(BASE, "management."),
    "images": _Meaning(BASE, "mcr.microsoft.com"),
    "artifacts": _Meaning(BASE, "packages.microsoft.com"),
    "apiserver": _Meaning(PUBLIC_SERVER),
    "tunnel-classic": _Meaning(OLD_TUNNEL),
    "time-sync": _Meaning(OLD_TIME),
    "ubuntu-optional": _Meaning(LINUX),
    "windows": _Meaning(WINDOWS),
    "gpu": _Meaning(GPU),
}
_UDP: Final = "udp"


def as_listed(rows: Iterable[Row], listed: RequiredEndpoints | None) -> tuple[Row, ...]:
    """The rows with those features replaced for which Azure gives names of its own."""
    own = tuple(rows)
    if listed is None:
        return own
    told = [row for one in listed.categories or () for row in _rows(one, own)]
    replaced = {row.feature for row in told}
    return (*told, *(row for row in own if row.feature not in replaced))


def listed_names(snapshot: Snapshot) -> frozenset[str]:
    """Every name that Azure lists for some cluster; its firewall tag for AKS follows that list."""
    return frozenset(
        endpoint.domain_name
        for listed in snapshot.grouped(RequiredEndpoints, "kind", RequiredEndpoints.kind)
        for category in listed.categories or ()
        for endpoint in category.endpoints or ()
        if endpoint.domain_name
    )


def _rows(told: EndpointCategory, own: tuple[Row, ...]) -> Iterator[Row]:
    meaning = _CATEGORIES.get((told.category or "").casefold())
    known = [row for row in own if meaning and row.feature == meaning.feature]
    if not meaning or not known:
        return
    model = next((row for row in known if row.fqdns[0].startswith(meaning.like)), known[0])
    for endpoint in told.endpoints or ():
        name = endpoint.domain_name or ""
        same = next((row for row in known if name in row.fqdns), model)
        for detail in endpoint.endpoint_details or ():
            protocol = "UDP" if (detail.protocol or "").casefold() == _UDP else "TCP"
            if name and detail.port:
                told_row = same._replace(fqdns=(name,), clouds=EVERY_CLOUD, protocol=protocol)
                yield told_row._replace(port=detail.port)
