"""What a resource bridge is deployed from: its three files, and its account's privileges."""

import json
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
# A line of an export ends in the id of a privilege: alone, or behind its label, or in quotes.
_PRIVILEGE: Final = (
    r'(?m)^(?:.{0,90}[ \t",;|])?"?([A-Z][A-Za-z]+(?:\.[A-Z][A-Za-z]+){1,3})"?[ \t\r,;|]*$'
)
_HELD_BY_ALL: Final = frozenset({"System.Anonymous", "System.Read", "System.View"})
_ROLE: Final = r'(?i)"privilege(?:s|list|ids?)?"\s*:\s*\[\s*"[a-z]+\.[a-z]'
# Commands with their answers are taken apart first.
_PROMPT: Final = r"(?:PS .{0,200}?>|[\w.@:~/-]{0,100}[$#]) ?(?:cat|type|Get-Content|az|kubectl) "
_FEWEST: Final = 3
_ROLE_KEYS: Final = ("privilege", "privileges", "privilegelist", "privilegeid", "privilegeids")
_SUFFIX: Final = r"(?i)[-_.]?(?:infra|appliance|resource)?\.ya?ml$"
# `https://user:word@host:8080/path`, or a part of it.
_HOST: Final = r"(?:\w+://)?(?:[^@/\s]*@)?(?P<host>[\w.-]+)(?::\d+)?(?:/.*)?"
_HOST_WORDS: Final = """
address fqdn server host hostname endpoint cloudagentaddress cloudagentfqdn loginconfigfqdn
dnsservers dnsserver http https httpproxy httpsproxy vcenter controlplaneendpoint
"""
_HOST_KEYS: Final = frozenset(_HOST_WORDS.split())
_PROXIES: Final = ("http", "https")
_MOST_LEAVES: Final = 2_000
_DEEPEST: Final = 12

Leaf = tuple[str, str, str]


class ApplianceFiles:
    def matches(self, piece: Piece) -> bool:
        head = piece.head.lstrip("\ufeff \t\r\n")
        if head[:1] in ("{", "["):
            return bool(re.search(_ROLE, head))
        if re.match(_PROMPT, head):
            return False
        if _is_role(head):
            return True
        if re.search(_INFRA, head) or re.search(_SETTINGS, head):
            return not re.search(r"(?m)^apiVersion:", head)
        return bool(re.search(_TARGET, head) and re.search(_SUBSCRIPTION, head))

    def read(self, piece: Piece, sink: Sink) -> None:
        head = piece.head.lstrip("\ufeff \t\r\n")
        if head[:1] in ("{", "[") or _is_role(head):
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
        "proxy": {
            "noProxy": proxy.get("noproxy"),
            # A URL can hold a password before the @.
            "urls": [re.sub(r"//[^@/]*@", "//", proxy[key]) for key in _PROXIES if key in proxy],
        },
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


def _is_role(text: str) -> bool:
    """Whether most lines end in a privilege; an error that lists some is no export."""
    listed = re.findall(_PRIVILEGE, text)
    lines = sum(1 for line in text.splitlines() if line.strip())
    if len(listed) < _FEWEST or len(listed) * 2 < lines:
        return False
    from sickbay.model.vcenter import PRIVILEGE_LABELS  # noqa: PLC0415 - rarely needed

    return any(one in PRIVILEGE_LABELS or one in _HELD_BY_ALL for one in listed)


def _read_privileges(piece: Piece, sink: Sink) -> None:
    from sickbay.bundle.tolerant import convert  # noqa: PLC0415 - msgspec is not needed for text
    from sickbay.model.arc import VcenterRole  # noqa: PLC0415 - as above

    file = piece.source.replace("\\", "/").rpartition("/")[2].rpartition(".")[0] or piece.source
    for name, privileges in _roles(piece.text()):
        body = {"metadata": {"name": name or file}, "privileges": privileges}
        sink.entity(convert(body, VcenterRole).value, Origin(piece.source))


def _roles(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each role of an export with its name, where the export names it."""
    stripped = text.lstrip("\ufeff \t\r\n")
    if stripped[:1] not in ("{", "["):
        yield "", re.findall(_PRIVILEGE, text)
        return
    try:
        stack = [json.loads(stripped)]
    except ValueError:
        return
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack.extend(reversed(node))
        elif isinstance(node, dict):
            known = {str(key).casefold(): value for key, value in node.items()}
            held = next((known[key] for key in _ROLE_KEYS if key in known), None)
            if isinstance(held, list):
                yield str(known.get("name") or ""), [one for one in held if isinstance(one, str)]
            else:
                stack.extend(reversed(node.values()))
