"""What a resource bridge is deployed from: its three files, and its account's privileges."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Gap, Origin, Reason

if TYPE_CHECKING:
    from sickbay.model.entity import Entity

_INFRA: Final = r"(?mi)^(?:vsphere|azurestackhci|scvmm|vmware|hci)provider:|^ +k8snodeippoolstart:"
_SETTINGS: Final = (
    r"(?m)^(?:infrastructureConfigPath|infraConfigPath|applianceResourceFilePath|"
    r"applianceConfigFilePath|applianceConfigPath|applianceClusterConfig|applianceClusterName):"
)
_TARGET: Final = r"(?m)^(?:resource:$|resource_group:|resourceGroup:)"
_SUBSCRIPTION: Final = r"(?m)^ *subscription(?:Id)?:"
_PRIVILEGES: Final = r"\A\s*(?:[A-Z][A-Za-z]+(?:\.[A-Z][A-Za-z]+){1,3}[ \t\r]*\n){8}"
_PRIVILEGE: Final = r"[A-Za-z]+(?:\.[A-Za-z]+){1,3}"
_SUFFIX: Final = r"(?i)[-_.]?(?:infra|appliance|resource)?\.ya?ml$"
# `https://user:word@host:8080/path`, or a part of it.
_HOST: Final = r"(?:\w+://)?(?:[^@/\s]*@)?(?P<host>[\w.-]+)(?::\d+)?(?:/.*)?"
_HOST_WORDS: Final = """
address fqdn server host hostname endpoint cloudagentaddress cloudagentfqdn loginconfigfqdn
dnsservers dnsserver http https httpproxy httpsproxy vcenter controlplaneendpoint
"""
_HOST_KEYS: Final = frozenset(_HOST_WORDS.split())
_MOST_LEAVES: Final = 2_000
_DEEPEST: Final = 12

Leaf = tuple[str, str, str]


class ApplianceFiles:
    def matches(self, piece: Piece) -> bool:
        head = piece.head.lstrip("\ufeff \t\r\n")
        if head[:1] in ("{", "["):
            return False
        if re.match(_PRIVILEGES, head):
            return True
        if re.search(_INFRA, head) or re.search(_SETTINGS, head):
            return not re.search(r"(?m)^apiVersion:", head)
        return bool(re.search(_TARGET, head) and re.search(_SUBSCRIPTION, head))

    def read(self, piece: Piece, sink: Sink) -> None:
        if re.match(_PRIVILEGES, piece.head.lstrip("\ufeff")):
            _read_privileges(piece, sink)
            return
        from sickbay.bundle.foreign import yaml_files  # noqa: PLC0415 - yaml is slow to import

        for value in yaml_files.documents(piece, sink):
            if entity := _entity(value, piece):
                sink.entity(entity, Origin(piece.source))
            else:
                what = "no setting of an appliance is in it"
                sink.gap(Gap(piece.source, what, Reason.NOT_UNDERSTOOD, asked_for=True))


READER = ApplianceFiles()


def _entity(value: Any, piece: Piece) -> "Entity | None":
    """The file as the entity that it is, by the settings in it."""
    from sickbay.bundle.tolerant import convert  # noqa: PLC0415 - msgspec is not needed for text
    from sickbay.model import arc  # noqa: PLC0415 - as above

    if not isinstance(value, dict):
        return None
    leaves = list(_leaves(value))
    body = _common(leaves, piece)
    first = {key: text for _, key, text in reversed(leaves)}
    entity: Entity | None = None
    if re.search(_INFRA, piece.head):
        entity = convert(body | _infra(value, first, leaves), arc.ApplianceInfra).value
    elif re.search(_SETTINGS, piece.head):
        settings = {"controlPlane": first.get("controlplaneendpoint")}
        entity = convert(body | settings, arc.ApplianceSettings).value
    elif "subscription" in first or "subscriptionid" in first:
        entity = convert(body | _target(first), arc.ApplianceTarget).value
    return entity


def _common(leaves: list[Leaf], piece: Piece) -> dict[str, Any]:
    hosts = [
        {"setting": path, "host": host["host"]}
        for path, key, text in leaves
        if key in _HOST_KEYS and (host := re.fullmatch(_HOST, text.strip()))
    ]
    proxy = {key: text for path, key, text in leaves if ".proxy." in f".{path}".casefold()}
    return {
        "metadata": {"name": _name(piece.source)},
        "hosts": hosts,
        "proxy": {"noProxy": proxy.get("noproxy")},
    }


def _infra(value: dict[str, Any], first: dict[str, str], leaves: list[Leaf]) -> dict[str, Any]:
    providers = (str(key) for key in value if str(key).casefold().endswith("provider"))
    return {
        "provider": next(providers, "").casefold().removesuffix("provider"),
        "prefix": first.get("ipaddressprefix"),
        "gateway": first.get("gateway"),
        "dnsServers": [text for _, key, text in leaves if key == "dnsservers"],
        "poolStart": first.get("k8snodeippoolstart"),
        "poolEnd": first.get("k8snodeippoolend"),
        "controlPlane": first.get("controlplaneendpoint"),
    }


def _target(first: dict[str, str]) -> dict[str, Any]:
    return {
        "subscription": first.get("subscription") or first.get("subscriptionid"),
        "resourceGroup": first.get("resource_group") or first.get("resourcegroup"),
        "resource": first.get("name") or first.get("appliancename"),
        "location": first.get("location"),
    }


def _leaves(value: Any, path: str = "", key: str = "", depth: int = 0) -> Iterator[Leaf]:
    """Every plain value with its path and its key in lower case, a bounded number of them."""
    stack = [(value, path, key, depth)]
    for _ in range(_MOST_LEAVES):
        if not stack:
            return
        node, path, key, depth = stack.pop()
        if isinstance(node, dict) and depth < _DEEPEST:
            members = [
                (member, f"{path}.{name}".lstrip("."), str(name).casefold(), depth + 1)
                for name, member in node.items()
            ]
            stack.extend(reversed(members))
        elif isinstance(node, list) and depth < _DEEPEST:
            items = [(item, f"{path}[{n}]", key, depth + 1) for n, item in enumerate(node)]
            stack.extend(reversed(items))
        elif isinstance(node, str | int) and not isinstance(node, bool) and node != "":
            yield path, key, str(node)


def _name(source: str) -> str:
    """The bridge that a file belongs to: the three differ in their endings only."""
    file = source.replace("\\", "/").rpartition("/")[2]
    return re.sub(_SUFFIX, "", file) or "appliance"


def _read_privileges(piece: Piece, sink: Sink) -> None:
    from sickbay.bundle.tolerant import convert  # noqa: PLC0415 - msgspec is not needed for text
    from sickbay.model.arc import VcenterRole  # noqa: PLC0415 - as above

    privileges = [word for word in piece.text().split() if re.fullmatch(_PRIVILEGE, word)]
    name = piece.source.replace("\\", "/").rpartition("/")[2].rpartition(".")[0] or piece.source
    body = {"metadata": {"name": name}, "privileges": privileges}
    sink.entity(convert(body, VcenterRole).value, Origin(piece.source))
