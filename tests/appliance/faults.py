"""Faults of a resource bridge, made for real: how each is made, and what it must be called."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.appliance.namespaces import SUBNET
from tests.appliance.world import (
    ALONE,
    APPLIANCE_DNS,
    INSPECTED,
    MACHINE_DNS,
    PLANE,
    PROXY_DNS,
    URLS,
    VC,
    VCENTER,
    VM,
    WEB_ALONE,
    World,
)

MACHINE, APPLIANCE = "management machine", "appliance VM"
EXTERNAL = tuple(URLS)


@dataclass(frozen=True)
class Fault:
    """What is broken, the step that fails first, from where, and the rule that names it."""

    name: str
    step: int
    place: str
    rule: str
    make: Callable[[World], None]
    mend: Callable[[World], None]
    # Whether both ends go through the proxy.
    machine_proxy: bool = False
    appliance_proxy: bool = False
    words: tuple[str, ...] = field(default=())


def walls(*machines: str) -> Callable[[World], None]:
    def mend(world: World) -> None:
        for machine in machines:
            world.machines.open_walls(machine)

    return mend


def drop(machine: str, *rule: str) -> Callable[[World], None]:
    return lambda world: world.machines.wall(machine, *rule, "-j", "DROP")


def reject(machine: str, *rule: str) -> Callable[[World], None]:
    how = ("-j", "REJECT", "--reject-with", "icmp-host-prohibited")
    return lambda world: world.machines.wall(machine, *rule, *how)


def dns(number: int, *without: str, **moved: str) -> Callable[[World], None]:
    return lambda world: world.dns(number, without=without, **moved)


def proxy(*lines: str) -> Callable[[World], None]:
    return lambda world: world.proxy(*lines)


def lose_key(world: World) -> None:
    world.key.rename(world.key.with_suffix(".away"))


def find_key(world: World) -> None:
    world.key.with_suffix(".away").rename(world.key)


def lose_address(world: World) -> None:
    world.machines.ip("vm", "addr", "del", f"{PLANE}/24", "dev", "eth0")


def give_address(world: World) -> None:
    world.machines.ip("vm", "addr", "add", f"{PLANE}/24", "dev", "eth0")


def to_filter(world: World) -> None:
    allowed = world.folder / "allowed"
    allowed.write_text("^mcr\\.microsoft\\.com$\n")
    world.proxy(f'Filter "{allowed}"', "FilterDefaultDeny Yes", "FilterExtended On")


TCP = ("-p", "tcp", "--dport")
FAULTS = (
    Fault("the key for logs is not here", 1, MACHINE, "arc.log_key_missing", lose_key, find_key),
    Fault(
        "the VM knows another key", 1, MACHINE, "arc.log_key_refused",
        lambda world: world.ssh(knows=False), lambda world: world.ssh(),
    ),
    Fault(
        "no SSH server runs on the VM", 1, MACHINE, "arc.ssh_closed",
        lambda world: world.machines.stop("ssh"), lambda world: world.ssh(),
    ),
    Fault(
        "a firewall hides both addresses", 2, MACHINE, "arc.appliance_unreachable",
        drop("mgmt", "OUTPUT", "-d", f"{SUBNET}.20/30"), walls("mgmt"), words=(VM,),
    ),
    Fault(
        "a firewall hides the control plane alone", 2, MACHINE, "arc.appliance_unreachable",
        drop("mgmt", "OUTPUT", "-d", PLANE), walls("mgmt"), words=(PLANE,),
    ),
    Fault(
        "the VM has lost the control plane address", 2, MACHINE, "arc.control_plane_vip_lost",
        lose_address, give_address, words=("is not among the addresses",),
    ),
    Fault(
        "the API server does not run", 2, MACHINE, "arc.control_plane_not_serving",
        lambda world: world.machines.stop("servers-vm"), lambda world: world.api_server(),
    ),
    Fault(
        "vCenter is closed to the management machine", 3, MACHINE, "arc.vcenter_unreachable",
        drop("mgmt", "OUTPUT", "-d", VC), walls("mgmt"), words=(f"{VCENTER}:443",),
    ),
    Fault(
        "vCenter is closed to the appliance", 3, APPLIANCE, "arc.fabric_unreachable",
        drop("vc", "INPUT", "-s", f"{SUBNET}.20/30", *TCP, "443"), walls("vc"),
        words=(f"{VCENTER}:443",),
    ),
    Fault(
        "the way back to the management machine is rejected", 3, APPLIANCE,
        "arc.machine_closed_to_appliance",
        reject("mgmt", "INPUT", "-s", f"{SUBNET}.20/30", "-m", "conntrack", "--ctstate", "NEW"),
        walls("mgmt"), words=(f"{SUBNET}.9",),
    ),
    Fault(
        "one URL is blocked for the management machine", 4, MACHINE, "arc.url_unreachable",
        reject("mgmt", "OUTPUT", "-d", WEB_ALONE), walls("mgmt"), words=(ALONE,),
    ),
    Fault(
        "the management machine has no way out", 4, MACHINE, "host.no_internet",
        drop("mgmt", "OUTPUT", "-d", f"{SUBNET}.80/30"), walls("mgmt"),
    ),
    Fault(
        "one URL is blocked for the appliance", 4, APPLIANCE, "arc.url_unreachable",
        drop("web", "INPUT", "-s", VM, "-d", WEB_ALONE), walls("web"), words=(ALONE,),
    ),
    Fault(
        "the appliance has no way out", 4, APPLIANCE, "arc.appliance_no_internet",
        drop("web", "INPUT", "-s", VM), walls("web"),
    ),
    Fault(
        "TLS of the appliance is inspected", 4, APPLIANCE, "arc.ssl_proxy",
        dns(APPLIANCE_DNS, mcr_microsoft_com=INSPECTED), dns(APPLIANCE_DNS),
        words=("Contoso Inspection CA", "mcr.microsoft.com"),
    ),
    Fault(
        "TLS of the management machine is inspected", 4, MACHINE, "host.tls_intercepted",
        dns(MACHINE_DNS, mcr_microsoft_com=INSPECTED), dns(MACHINE_DNS),
        words=("Contoso Inspection CA",),
    ),
    Fault(
        "the proxy wants credentials of the machine", 4, MACHINE, "host.proxy_authentication",
        proxy("BasicAuth arc word"), proxy(), machine_proxy=True, words=("407",),
    ),
    Fault(
        "the proxy forbids most URLs to the machine", 4, MACHINE, "host.proxy_refuses",
        to_filter, proxy(), machine_proxy=True, words=("403",),
    ),
    Fault(
        "the proxy wants credentials of the appliance", 4, APPLIANCE,
        "arc.proxy_blocks_appliance",
        proxy("BasicAuth arc word"), proxy(), appliance_proxy=True, words=("407",),
    ),
    Fault(
        "the proxy of the machine cannot resolve", 5, MACHINE, "host.proxy_refuses",
        dns(PROXY_DNS, *EXTERNAL), dns(PROXY_DNS), machine_proxy=True,
        words=("not resolved by the proxy",),
    ),
    Fault(
        "the proxy of the appliance cannot resolve", 5, APPLIANCE, "arc.proxy_blocks_appliance",
        dns(PROXY_DNS, *EXTERNAL), dns(PROXY_DNS), appliance_proxy=True,
        words=("not resolved by the proxy",),
    ),
    Fault(
        "the machine does not know vCenter", 5, MACHINE, "arc.vcenter_name_unknown",
        dns(MACHINE_DNS, VCENTER), dns(MACHINE_DNS), words=(VCENTER,),
    ),
    Fault(
        "the machine knows no external name", 5, MACHINE, "host.name_unresolved",
        dns(MACHINE_DNS, *EXTERNAL), dns(MACHINE_DNS), words=("mcr.microsoft.com",),
    ),
    Fault(
        "the DNS server of the appliance does not know vCenter", 6, APPLIANCE,
        "arc.internal_name_unknown",
        dns(APPLIANCE_DNS, VCENTER), dns(APPLIANCE_DNS), words=(VCENTER, f"{SUBNET}.53"),
    ),
    Fault(
        "the DNS server of the appliance knows no external name", 6, APPLIANCE,
        "arc.appliance_dns", dns(APPLIANCE_DNS, *EXTERNAL), dns(APPLIANCE_DNS),
        words=("mcr.microsoft.com",),
    ),
    Fault(
        "port 53 is closed to the appliance alone", 6, APPLIANCE, "arc.appliance_dns",
        drop("dns", "INPUT", "-s", VM), walls("dns"), words=("10.77.0.53 gives no answer",),
    ),
)  # fmt: skip
