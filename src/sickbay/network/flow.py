"""One flow as a packet filter sees it: the addresses and the port that the packets carry."""

from typing import NamedTuple


class Flow(NamedTuple):
    """Packets from a source to a destination.

    The addresses are those that the filter sees, after any translation on the way to it; an empty
    one is not known. The internet as a source stands for every public address. A name is how the
    sender knows the destination, where its address is not known or changes.
    """

    source: str
    destination: str
    protocol: str
    port: int | None
    source_is_internet: bool = False
    destination_fqdn: str = ""
