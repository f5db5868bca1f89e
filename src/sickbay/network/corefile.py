"""Reads the configuration of CoreDNS: its server blocks, and what keeps it from starting."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from sickbay.model.guards import ConfigMap
from sickbay.model.ids import Ref, kube
from sickbay.model.snapshot import Snapshot

MAIN: Final = kube("ConfigMap", "kube-system", "coredns")
CUSTOM: Final = kube("ConfigMap", "kube-system", "coredns-custom")
DNS_PORT: Final = 53

_PORTS: Final = {"dns": DNS_PORT, "tls": 853, "https": 443, "https3": 443, "quic": 853, "grpc": 443}
_MOST_CHARACTERS: Final = 1 << 20
_SERVER, _OVERRIDE = ".server", ".override"
_IMPORTED_SERVERS: Final = "custom/*.server"
_IMPORTED_OVERRIDES: Final = "custom/*.override"
_PLUGINS: Final = frozenset(
    (
        "acl any auto autopath azure bind bufsize cache cancel chaos clouddns debug dns64 dnssec "
        "dnstap erratic errors etcd file forward geoip grpc header health hosts import "
        "k8s_external kubernetes loadbalance local log loop metadata minimal multisocket nsid on "
        "pprof prometheus quic ready reload rewrite root route53 secondary sign template "
        "timeouts tls trace transfer tsig view whoami"
    ).split()
)
# A second one in the same block is refused.
_ONCE: Final = frozenset({"cache", "errors", "hosts", "kubernetes", "loop"})

# What AKS installs; it stands in while nobody has read the real one.
USUAL: Final = r"""
.:53 {
    errors
    ready
    health {
      lameduck 5s
    }
    kubernetes cluster.local in-addr.arpa ip6.arpa {
      pods insecure
      fallthrough in-addr.arpa ip6.arpa
    }
    prometheus :9153
    forward . /etc/resolv.conf
    cache 30
    loop
    reload
    loadbalance
    import custom/*.override
    template ANY ANY internal.cloudapp.net {
      match "^(?:[^.]+\.){4,}internal\.cloudapp\.net\.$"
      rcode NXDOMAIN
      fallthrough
    }
    template ANY ANY reddog.microsoft.com {
      rcode NXDOMAIN
    }
}
import custom/*.server
"""


class Plugin(NamedTuple):
    """One plugin of a server block, with its arguments and the lines of its own block."""

    name: str
    arguments: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    place: str


class ServerBlock(NamedTuple):
    """The plugins that serve some zones; the zone of everything is an empty string."""

    zones: tuple[tuple[str, int], ...]
    plugins: tuple[Plugin, ...]
    place: str

    @property
    def label(self) -> str:
        return " ".join(f"{zone or '.'}:{port}" for zone, port in self.zones)


class Fault(NamedTuple):
    """Something for which CoreDNS refuses the configuration; `place` is the key and the line."""

    place: str
    says: str
    ref: Ref


class Corefile(NamedTuple):
    """The configuration as a whole.

    `unread` are keys of `coredns-custom` that CoreDNS takes no notice of. `is_assumed` means that
    nobody read the main part, and that the one which AKS installs stands in for it.
    """

    blocks: tuple[ServerBlock, ...] = ()
    faults: tuple[Fault, ...] = ()
    unread: tuple[str, ...] = ()
    is_assumed: bool = False


def corefile_of(snapshot: Snapshot) -> Corefile:
    """The configuration of the cluster's DNS, from what is in evidence of it; read once."""
    return snapshot.once(_read)


def parse(main: str, custom: Mapping[str, str] | None = None) -> Corefile:
    """Read the text of a Corefile, and the keys of `coredns-custom` that it imports."""
    keys = dict(sorted((custom or {}).items()))
    whole = _Reading(MAIN).blocks(main, "Corefile")
    extra = _Reading(CUSTOM)
    overrides = [extra.plugins(keys[key], key) for key in keys if key.endswith(_OVERRIDE)]
    blocks = [_completed(block, overrides) for block in whole.found]
    if _IMPORTED_SERVERS in whole.imports:
        for key, text in keys.items():
            if key.endswith(_SERVER):
                extra.blocks(text, key)
        blocks += extra.found
    unread = tuple(key for key in keys if not key.endswith((_SERVER, _OVERRIDE)))
    faults = (*whole.faults, *extra.faults, *_unknown(blocks), *_repeated(blocks), *_twice(blocks))
    return Corefile(tuple(blocks), tuple(sorted(faults)), unread)


def _read(snapshot: Snapshot) -> Corefile:
    main, custom = snapshot.find(MAIN), snapshot.find(CUSTOM)
    text = (main.data or {}).get("Corefile") if isinstance(main, ConfigMap) else None
    more = custom.data if isinstance(custom, ConfigMap) else None
    return parse(USUAL if text is None else text, more)._replace(is_assumed=text is None)


class _Line(NamedTuple):
    number: int
    words: tuple[str, ...]

    @property
    def opens(self) -> bool:
        return self.words[-1] == "{"

    @property
    def closes(self) -> bool:
        return self.words == ("}",)


class _Reading:
    """Collects the blocks of several texts of one map, and what is wrong with them."""

    def __init__(self, ref: Ref) -> None:
        self._ref = ref
        self.found: list[ServerBlock] = []
        self.faults: list[Fault] = []
        self.imports: set[str] = set()
        self._snippets: dict[str, tuple[Plugin, ...]] = {}

    def blocks(self, text: str, key: str) -> "_Reading":
        lines = _lines(text)
        for line in lines:
            place = f"{key}:{line.number}"
            if line.words[0] == "import":
                self.imports.update(line.words[1:])
            elif line.closes:
                self._fault(place, "has a closing brace that nothing opened")
            elif not line.opens:
                what = " ".join(line.words)[:60]
                self._fault(place, f"has {what!r} outside of a server block")
            else:
                self._block(line, tuple(self._inside(lines, key, line.number)), place)
        return self

    def plugins(self, text: str, key: str) -> tuple[Plugin, ...]:
        """Read a text that stands inside a server block."""
        lines = _lines(f"{text}\n}}")
        found = tuple(self._inside(lines, key, 0))
        if next(lines, None) is not None:
            self._fault(f"{key}:0", "has a closing brace that nothing opened")
        return found

    def _block(self, head: _Line, plugins: tuple[Plugin, ...], place: str) -> None:
        names = [word.rstrip(",") for word in head.words[:-1]]
        if len(names) == 1 and names[0].startswith("(") and names[0].endswith(")"):
            self._snippets[names[0][1:-1]] = plugins
            return
        zones = tuple(_zone(name) for name in names if name)
        self.found.append(ServerBlock(zones or (("", DNS_PORT),), plugins, place))

    def _inside(self, lines: Iterator[_Line], key: str, opened: int) -> Iterator[Plugin]:
        for line in lines:
            if line.closes:
                return
            place = f"{key}:{line.number}"
            if line.words[0] == "import" and len(line.words) > 1:
                snippet = self._snippets.get(line.words[1])
                yield from snippet or (Plugin("import", line.words[1:], (), place),)
                continue
            words = line.words[:-1] if line.opens else line.words
            inner = tuple(self._inner(lines, key, line.number)) if line.opens else ()
            if words:
                yield Plugin(words[0], words[1:], inner, place)
        self._fault(f"{key}:{opened}", "opens a block that is never closed")

    def _inner(self, lines: Iterator[_Line], key: str, opened: int) -> Iterator[tuple[str, ...]]:
        depth = 1
        for line in lines:
            depth += line.opens - line.closes
            if not depth:
                return
            yield line.words
        self._fault(f"{key}:{opened}", "opens a block that is never closed")

    def _fault(self, place: str, says: str) -> None:
        self.faults.append(Fault(place, says, self._ref))


def _lines(text: str) -> Iterator[_Line]:
    for number, line in enumerate(text[:_MOST_CHARACTERS].splitlines(), 1):
        words = tuple(_words(line))
        if words:
            yield _Line(number, words)


def _words(line: str) -> Iterator[str]:
    """Split as CoreDNS does: by blanks, quotes keep blanks, a word that begins with # ends it."""
    if '"' not in line:
        for word in line.split():
            if word.startswith("#"):
                return
            yield word
        return
    outside = True
    for part in line.split('"'):
        if not outside:
            yield part
        else:
            before, hash_mark, _ = f" {part}".partition(" #")
            yield from before.split()
            if hash_mark:
                return
        outside = not outside


def _zone(name: str) -> tuple[str, int]:
    scheme, separator, rest = name.casefold().rpartition("://")
    host, colon, port = rest.rpartition(":")
    if not colon or not port.isdecimal() or len(port) > len("65535"):
        host, port = rest, ""
    usual = _PORTS.get(scheme, DNS_PORT) if separator else DNS_PORT
    return host.rstrip("."), int(port) if port else usual


def _completed(block: ServerBlock, overrides: Iterable[tuple[Plugin, ...]]) -> ServerBlock:
    """Put the overrides in the place where the block imports them."""
    plugins: list[Plugin] = []
    for plugin in block.plugins:
        if plugin.name == "import" and _IMPORTED_OVERRIDES in plugin.arguments:
            plugins += [one for override in overrides for one in override]
        else:
            plugins.append(plugin)
    return block._replace(plugins=tuple(plugins))


def _owner(place: str) -> Ref:
    return MAIN if place.startswith("Corefile:") else CUSTOM


def _unknown(blocks: Iterable[ServerBlock]) -> Iterator[Fault]:
    for plugin in (plugin for block in blocks for plugin in block.plugins):
        if plugin.name not in _PLUGINS:
            says = f"names the plugin {plugin.name[:60]!r}, which CoreDNS does not have"
            yield Fault(plugin.place, says, _owner(plugin.place))


def _repeated(blocks: Iterable[ServerBlock]) -> Iterator[Fault]:
    known: dict[tuple[str, int], str] = {}
    for block in blocks:
        for zone, port in block.zones:
            first = known.setdefault((zone, port), block.place)
            if first != block.place:
                says = f"serves {zone or '.'}:{port} a second time, after {first}"
                yield Fault(block.place, says, _owner(block.place))


def _twice(blocks: Iterable[ServerBlock]) -> Iterator[Fault]:
    for block in blocks:
        known: dict[str, str] = {}
        for plugin in block.plugins:
            first = known.setdefault(plugin.name, plugin.place)
            if first != plugin.place and plugin.name in _ONCE:
                says = f"has the plugin {plugin.name} a second time in a block, after {first}"
                yield Fault(plugin.place, says, _owner(plugin.place))
