"""What the DNS servers of a virtual network answer: Azure's own, or those that a user has set."""

from functools import partial
from typing import Final

from sickbay.model.azure import VirtualNetwork
from sickbay.model.evidence import Gap
from sickbay.model.ids import Ref, arm
from sickbay.model.naming import DnsResolver, ResolverEntrance
from sickbay.model.routing import AzureFirewall, FirewallPolicy
from sickbay.model.snapshot import Snapshot
from sickbay.network.names_answers import LONGEST_NAME, Resolution, agreed, answered
from sickbay.network.names_azure import Ways, ask_azure
from sickbay.network.names_zones import present
from sickbay.network.prefixes import Prefix, parse
from sickbay.network.traffic import Decider, Verdict

AZURE_DNS: Final = "168.63.129.16"
_MOST_STEPS: Final = 6
# A resolver takes no notice of more.
_MOST_SERVERS: Final = 3
_CLASSIC_PROXY: Final = "network.dns.enableproxy"
_CLASSIC_SERVERS: Final = "network.dns.servers"


def ask_network(snapshot: Snapshot, network: str, name: str, steps: int = 0) -> Resolution:
    """Answer as a machine in a virtual network gets it: `network` is the key of its ARM id.

    A network that is not in evidence is taken to ask Azure's DNS; then only an address is sure.
    """
    found = snapshot.find(arm(network)) if network else None
    if not isinstance(found, VirtualNetwork):
        where = network.rpartition("/")[2] or "the cluster"
        look = "az network vnet list -o json"
        gap = Gap(VirtualNetwork.kind, f"the DNS servers of network {where}", to_open=look)
        return ask_server(snapshot, network, AZURE_DNS, name, steps).doubted(gap)
    servers = (found.dhcp_options and found.dhcp_options.dns_servers) or [AZURE_DNS]
    if servers == [AZURE_DNS]:
        return ask_server(snapshot, network, AZURE_DNS, name, steps)
    by = Decider(
        "VirtualNetwork", found.name, f"has the DNS servers {', '.join(servers)}", found.ref
    )
    return ask_servers(snapshot, network, servers, name, steps).after((by,))


def ask_servers(
    snapshot: Snapshot, network: str, servers: list[str], name: str, steps: int = 0
) -> Resolution:
    """Answer as any of some servers, asked from a network."""
    asked = list(dict.fromkeys(servers))[:_MOST_SERVERS]
    return agreed([ask_server(snapshot, network, one, name, steps) for one in asked])


def ask_server(
    snapshot: Snapshot, network: str, server: str, name: str, steps: int = 0
) -> Resolution:
    """Answer as one server, asked from a network."""
    if len(name) > LONGEST_NAME:
        by = Decider("DnsServer", server, f"knows no name of more than {LONGEST_NAME} characters")
        return answered(Verdict.BLOCKED, by)
    if steps > _MOST_STEPS:
        by = Decider("DnsServer", server, f"is asked for {name} in a circle")
        return answered(Verdict.BLOCKED, by)
    if server.strip() == AZURE_DNS:
        return _azure(snapshot, network, name, steps)
    entrance = snapshot.once(_entrances).get(server.strip())
    if entrance is not None:
        ref, home = entrance
        by = Decider(
            "DnsResolver", ref.name, f"answers at {server} as Azure's DNS of {_last(home)}"
        )
        return _azure(snapshot, home, name, steps).after((by,))
    firewall = snapshot.once(_firewalls).get(server.strip())
    if firewall is not None:
        return _firewall(snapshot, firewall, server, name, steps)
    return _stranger(snapshot, server, name, steps)


def _azure(snapshot: Snapshot, network: str, name: str, steps: int) -> Resolution:
    def again(alias: str) -> Resolution:
        return ask_server(snapshot, network, AZURE_DNS, alias, steps + 1)

    def servers(addresses: list[str], asked: str) -> Resolution:
        return ask_servers(snapshot, network, addresses, asked, steps + 1)

    return ask_azure(snapshot, network, name, Ways(again, servers))


def _firewall(
    snapshot: Snapshot, firewall: AzureFirewall, server: str, name: str, steps: int
) -> Resolution:
    settings = _proxy(snapshot, firewall)
    told = partial(Decider, "AzureFirewall", firewall.name, ref=firewall.ref)
    if settings is None:
        gap = Gap(
            FirewallPolicy.kind,
            f"the DNS settings of firewall {firewall.name}",
            to_open=FirewallPolicy.look,
        )
        return answered(Verdict.UNKNOWN, told(says=f"answers at {server}, or not"), (), gap)
    is_on, servers = settings
    if not is_on:
        says = f"is the DNS server {server}, but its DNS proxy is off"
        return answered(Verdict.BLOCKED, told(says=says))
    by = told(says=f"answers at {server} and asks {', '.join(servers or [AZURE_DNS])}")
    home = _home(firewall)
    found = ask_servers(snapshot, home, servers or [AZURE_DNS], name, steps + 1)
    return found.after((by,))


def _proxy(snapshot: Snapshot, firewall: AzureFirewall) -> tuple[bool, list[str]] | None:
    """Whether a firewall answers for others, and whom it asks; None when that was not read."""
    reference = firewall.firewall_policy and firewall.firewall_policy.id
    if not reference:
        more = {k.casefold(): str(v) for k, v in (firewall.additional_properties or {}).items()}
        servers = [one.strip() for one in more.get(_CLASSIC_SERVERS, "").split(",")]
        return more.get(_CLASSIC_PROXY, "").casefold() == "true", [one for one in servers if one]
    policy = snapshot.find(arm(reference))
    if not isinstance(policy, FirewallPolicy):
        return None
    settings = policy.dns_settings
    return bool(settings and settings.enable_proxy), (settings and settings.servers) or []


def _stranger(snapshot: Snapshot, server: str, name: str, steps: int) -> Resolution:
    """A server that no evidence describes: what Azure's DNS says where it stands is a hint."""
    home = _network_holding(snapshot, server)
    where = f", which stands in network {_last(home)}," if home else ""
    by = Decider("DnsServer", server, f"decides{where} and its own rules were not read")
    gap = Gap(
        "DNS server", f"what {server} answers for {name}", to_open=f"nslookup {name} {server}"
    )
    hint = _azure(snapshot, home, name, steps).considered if home else ()
    return answered(Verdict.UNKNOWN, by, (), gap).after(hint)


def _entrances(snapshot: Snapshot) -> dict[str, tuple[Ref, str]]:
    """The addresses of private resolvers, with the key of the network that each answers for."""
    found: dict[str, tuple[Ref, str]] = {}
    for entrance in sorted(present(snapshot, ResolverEntrance), key=lambda one: one.ref):
        ref = arm(entrance.ref.parent)
        resolver = snapshot.find(ref)
        network = resolver.virtual_network if isinstance(resolver, DnsResolver) else None
        for part in entrance.ip_configurations or ():
            subnet = (part.subnet and part.subnet.id) or ""
            home = (network and network.id) or (arm(subnet).parent if subnet else "")
            if part.private_ip_address and home:
                found.setdefault(part.private_ip_address, (ref, arm(home).key))
    return found


def _firewalls(snapshot: Snapshot) -> dict[str, AzureFirewall]:
    firewalls = sorted(present(snapshot, AzureFirewall), key=lambda one: one.ref, reverse=True)
    return {address: one for one in firewalls for address in one.private_addresses}


def _home(firewall: AzureFirewall) -> str:
    subnets = (part.subnet for part in firewall.ip_configurations or ())
    subnet = next((one.id for one in subnets if one and one.id), "")
    return arm(arm(subnet).parent).key if subnet else ""


def _network_holding(snapshot: Snapshot, address: str) -> str:
    """The key of the one network in evidence that holds an address; empty when several do."""
    wanted = parse(address)
    spaces = snapshot.once(_spaces)
    found = {key for prefix, key in spaces if wanted and prefix.contains(wanted)}
    return found.pop() if len(found) == 1 else ""


def _spaces(snapshot: Snapshot) -> list[tuple[Prefix, str]]:
    return [
        (prefix, network.ref.key)
        for network in present(snapshot, VirtualNetwork)
        for text in network.prefixes
        if (prefix := parse(text))
    ]


def _last(key: str) -> str:
    return key.rpartition("/")[2] or "its network"
