"""The three files of a resource bridge: what is evidence, and what never leaves this process."""

import io
from functools import partial
from pathlib import Path
from typing import Any, Final

from sickbay.bundle.foreign import read
from sickbay.bundle.intake import Evidence
from sickbay.bundle.sink import Sink
from sickbay.collect.host_probes import Bridge
from sickbay.errors import SickbayError
from sickbay.record import NamedTuple

_MOST_BYTES: Final = 1_000_000
_HINT: Final = "name the folder with <name>-infra.yaml, <name>-appliance.yaml and -resource.yaml"
_PARTS: Final = ("infra", "appliance", "resource")


class Placement(NamedTuple):
    """Where in vCenter the appliance is put, by the names in the files."""

    datacenter: str = ""
    folder: str = ""
    resource_pool: str = ""
    datastore: str = ""
    network: str = ""
    template: str = ""


class VcenterLogin(NamedTuple):
    """Who asks vCenter; the password is shown to nobody."""

    address: str
    user: str
    password: str

    def __repr__(self) -> str:
        return f"VcenterLogin({self.user}@{self.address})"


class Files(NamedTuple):
    """What the three files say."""

    bridge: Bridge
    placement: Placement
    vcenter: VcenterLogin | None
    evidence: tuple[tuple[str, bytes], ...]

    def __repr__(self) -> str:
        return f"Files({self.bridge!r})"

    def note(self, sink: Sink) -> None:
        """Hand the files in, as if they had been saved; readers leave their secrets out."""
        for name, data in self.evidence:
            read(Evidence(name, len(data), partial(io.BytesIO, data)), sink)


def files_of(folder: str) -> Files:
    """Read the files of a bridge."""
    found = _found(Path(folder))
    known = {part: _parsed(path) for part, path in found.items()}
    infra = known["infra"]
    name = found["infra"].stem.removesuffix("infra").rstrip("-_.") or "appliance"
    first = _flat(infra)
    settings = _flat(known.get("appliance", {}))
    target = _flat(known.get("resource", {}))
    provider = next((key for key in infra if key.casefold().endswith("provider")), "")
    bridge = Bridge(
        name,
        provider.casefold().removesuffix("provider"),
        target.get("location", ""),
        _host(first.get("address") or first.get("fqdn") or ""),
        first.get("controlplaneendpoint") or settings.get("controlplaneendpoint", ""),
        tuple(dict.fromkeys(_pool(first))),
        tuple(_listed(infra, "dnsservers")),
        _proxies(settings),
    )
    placement = Placement(
        first.get("datacenter", ""),
        first.get("folder", ""),
        first.get("resourcepool", ""),
        first.get("datastore", ""),
        first.get("network", "") or first.get("segment", ""),
        first.get("vmtemplate", "") or first.get("template", ""),
    )
    evidence = tuple((path.name, path.read_bytes()) for path in found.values())
    return Files(bridge, placement, _login(bridge, first), evidence)


def _found(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise SickbayError(f"{folder} is no folder", _HINT)
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix.casefold() not in (".yaml", ".yml") or not path.is_file():
            continue
        part = next((part for part in _PARTS if path.stem.casefold().endswith(part)), "")
        if part and part in found:
            raise SickbayError(f"{folder} holds the files of several bridges", _HINT)
        if part:
            found[part] = path
    if "infra" not in found:
        raise SickbayError(f"{folder} holds no file that ends in infra.yaml", _HINT)
    return {part: found[part] for part in _PARTS if part in found}


def _parsed(path: Path) -> dict[str, Any]:
    from sickbay.bundle.foreign.yaml_files import parsed  # noqa: PLC0415 - slow to import

    try:
        value = parsed(path.read_bytes()[:_MOST_BYTES].decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise SickbayError(f"{path} cannot be read", str(error).splitlines()[0]) from None
    if not isinstance(value, dict):
        raise SickbayError(f"{path} holds no settings", _HINT)
    return value


def _flat(value: Any) -> dict[str, str]:
    """Every plain setting by its key in lower case, the first of each."""
    flat: dict[str, str] = {}
    todo = [value]
    while todo:
        node = todo.pop(0)
        if not isinstance(node, dict):
            continue
        for key, member in node.items():
            if isinstance(member, dict):
                todo.append(member)
            elif isinstance(member, str | int) and not isinstance(member, bool):
                flat.setdefault(str(key).casefold(), str(member).strip())
    return flat


def _listed(value: Any, wanted: str) -> list[str]:
    found: list[str] = []
    todo = [value]
    while todo:
        node = todo.pop(0)
        if isinstance(node, dict):
            for key, member in node.items():
                if str(key).casefold() == wanted:
                    rows = member if isinstance(member, list) else [member]
                    found += [str(row) for row in rows if row]
                else:
                    todo.append(member)
    return found


def _pool(first: dict[str, str]) -> list[str]:
    names = ("k8snodeippoolstart", "k8snodeippoolend", "vmip")
    return [first[name] for name in names if first.get(name)]


def _proxies(settings: dict[str, str]) -> dict[str, str]:
    url = settings.get("https") or settings.get("http") or ""
    named = {"HTTPS_PROXY": url, "NO_PROXY": settings.get("noproxy", "")}
    return {key: value for key, value in named.items() if value} if url else {}


def _host(address: str) -> str:
    """The host of an address that may be a URL, or have a port behind it."""
    place = address.partition("://")[2] if "://" in address else address
    host = place.partition("/")[0].rpartition("@")[2]
    return host.partition(":")[0] if host.count(":") == 1 else host


def _login(bridge: Bridge, first: dict[str, str]) -> VcenterLogin | None:
    if bridge.provider not in ("vsphere", "vmware") or not bridge.fabric:
        return None
    return VcenterLogin(bridge.fabric, first.get("username", ""), first.get("password", ""))
