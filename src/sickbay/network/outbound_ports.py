"""The ports that a load balancer has for connections to the outside, and how far they go."""

from typing import Final, NamedTuple

PORTS_OF_ADDRESS: Final = 64_000
# A NAT gateway shares all ports of its addresses among the nodes, as they need them.
PORTS_OF_NAT_ADDRESS: Final = 64_512
# What Azure gives each node by itself, by the number of nodes up to which it does.
_AUTOMATIC: Final = ((50, 1024), (100, 512), (200, 256), (400, 128), (800, 64))
_LEAST: Final = 32


class SnatPorts(NamedTuple):
    """The ports of a node, and of all nodes against what the public addresses have."""

    per_node: int
    nodes: int
    available: int
    is_automatic: bool

    @property
    def needed(self) -> int:
        return self.per_node * self.nodes

    @property
    def fits(self) -> bool:
        return self.needed <= self.available

    @property
    def most_nodes(self) -> int:
        """How many nodes there can be before the load balancer refuses another."""
        return self.available // self.per_node if self.per_node else 0


def snat_ports(addresses: int, nodes: int, allocated: int = 0) -> SnatPorts:
    """The arithmetic of an outbound rule; 0 allocated ports leave the number to Azure."""
    available = max(addresses, 0) * PORTS_OF_ADDRESS
    if allocated > 0:
        return SnatPorts(allocated, nodes, available, is_automatic=False)
    per_node = next((ports for most, ports in _AUTOMATIC if nodes <= most), _LEAST)
    return SnatPorts(per_node, nodes, available, is_automatic=True)


def addresses_needed(nodes: int, allocated: int) -> int:
    """How many public addresses so many nodes with so many ports each take."""
    return -(-nodes * allocated // PORTS_OF_ADDRESS)
