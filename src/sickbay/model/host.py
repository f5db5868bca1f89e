"""The two ends of a resource bridge: the machine that manages it, and the VM that is it."""

from typing import ClassVar

from sickbay.model.entity import Shape
from sickbay.model.probe import Vantage


class CommandLine(Shape, frozen=True, gc=False):
    """The Azure CLI as it is installed: its version, the width of its Python, its extensions."""

    version: str = ""
    bits: int | None = None
    extensions: dict[str, str] | None = None


class CachedLogin(Shape, frozen=True, gc=False):
    """A folder with credentials of an earlier deployment, and when the first of them expires."""

    folder: str = ""
    expires: str = ""
    is_expired: bool = False


class ManagementMachine(Vantage, frozen=True, gc=False):
    """The machine on which `az arcappliance` is run."""

    kind: ClassVar[str] = "ManagementMachine"
    look: ClassVar[str] = "sickbay diagnose --host"
    place: ClassVar[str] = "management machine"

    system: str = ""
    command_line: CommandLine | None = None
    # Whether the program is there, and whether the kubeconfig signs in with it.
    has_kubelogin: bool | None = None
    wants_kubelogin: bool | None = None
    is_remote_session: bool | None = None
    cached_logins: list[CachedLogin] | None = None
    # The environment variables that name a proxy, with the URL but without its credentials.
    proxy_variables: dict[str, str] | None = None


class ApplianceVm(Vantage, frozen=True, gc=False):
    """The VM of a resource bridge, as a login over SSH sees it."""

    kind: ClassVar[str] = "ApplianceVm"
    look: ClassVar[str] = "sickbay diagnose --appliance <config-folder>"
    place: ClassVar[str] = "appliance VM"

    # Its own addresses; the control plane address is one of them while keepalived holds it.
    addresses: list[str] | None = None
    # The time within which etcd writes 99 of 100 entries of its log to disk.
    etcd_sync_milliseconds: float | None = None
