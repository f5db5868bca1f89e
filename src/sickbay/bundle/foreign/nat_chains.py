"""The chains of a packet filter, followed from the address of a service to those of its pods."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

Key = tuple[str, int, str]

_LONGEST: Final = 4_000
# A map of nft may stand in one line.
_LONGEST_MAP: Final = 8 * 1024 * 1024
_DEEPEST: Final = 4
_MOST_STEPS: Final = 2_000_000
_PROTOCOLS: Final = {"6": "TCP", "17": "UDP", "132": "SCTP"}
_ROLES: Final = r" (?:cluster IP|loadbalancer IP|external IP|has no (?:local )?endpoints)\b.*$"
_ELEMENT: Final = (
    r"([0-9a-fA-F.:]{2,45}) \. (tcp|udp|sctp) \. (\d{1,5})(?: comment \"([^\"]{0,300})\")?"
    r" : (?:goto|jump|drop|reject) ?([^\s,}]{0,400})"
)
_ENDPOINT: Final = r"endpoint-[^\s,{}]{0,400}?__([0-9a-fA-F.:]{2,45})/(\d{1,5})(?!\d)"


class Held(NamedTuple):
    name: str
    backends: frozenset[str]
    is_rejected: bool


class Found(NamedTuple):
    """What one program lists; it is whole when every service would be in it."""

    program: str
    is_whole: bool
    services: dict[Key, Held]


class _Chains:
    """What was read so far: who holds which address, and where each chain leads."""

    def __init__(self) -> None:
        self.entries: dict[Key, tuple[str, str]] = {}
        self.rejected: dict[Key, str] = {}
        self.jumps: dict[str, list[str]] = {}
        self.ends: dict[str, set[str]] = {}
        # How many chains of services kube-proxy has made.
        self.written = 0

    def enter(self, key: Key | None, name: str, chain: str) -> None:
        if key is None:
            return
        if chain:
            self.entries[key] = (name, chain)
        else:
            self.rejected[key] = name

    def jump(self, chain: str, target: str) -> None:
        self.jumps.setdefault(chain, []).append(target)

    def end(self, chain: str, address: str) -> None:
        self.ends.setdefault(chain, set()).add(_plain(address))

    def services(self) -> dict[Key, Held]:
        budget = _Budget(_MOST_STEPS)
        found = {
            key: Held(name, self._reached(chain, budget), is_rejected=False)
            for key, (name, chain) in self.entries.items()
        }
        for key, name in self.rejected.items():
            # A rule of the filter comes before any translation.
            found[key] = Held(name, frozenset(), is_rejected=True)
        return found

    def _reached(self, chain: str, budget: "_Budget") -> frozenset[str]:
        """Where a chain ends; nothing is said of one that leads to more than there can be."""
        found: set[str] = set()
        level = {chain}
        for _ in range(_DEEPEST):
            following: set[str] = set()
            for name in level:
                ends, jumps = self.ends.get(name, ()), self.jumps.get(name, ())
                if not budget.allows(1 + len(ends) + len(jumps)):
                    return frozenset()
                found.update(ends)
                following.update(jumps)
            level = following
        return frozenset(found)


class _Budget:
    """How many steps may still be taken."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def allows(self, steps: int) -> bool:
        self._left -= steps
        return self._left >= 0


def found_in(text: str) -> Iterator[Found]:
    """What the listings in a text hold, each family and program for itself."""
    lines = text.split("\n")
    tables, is_whole = _tables(lines)
    held_by_tables = tables.services()
    for program, has_family in (("iptables", _is_v4), ("ip6tables", _is_v6)):
        services = {key: held for key, held in held_by_tables.items() if has_family(key)}
        # Chains of services that nothing leads to: somebody has emptied the list of services.
        is_flushed = is_whole and not held_by_tables and tables.written and program == "iptables"
        if services or is_flushed:
            # Every cluster has a service for its API server: without any, another program has them.
            is_any = any(not held.is_rejected for held in services.values())
            yield Found(program, is_whole and (is_any or bool(is_flushed)), services)
    if "kube-proxy {" in text or "chain KUBE-" in text:
        rules, is_closed = _nft(lines)
        if services := rules.services():
            is_any = any(not held.is_rejected for held in services.values())
            yield Found("nftables", is_closed and is_any, services)
    if "IP Virtual Server version" in text and (servers := _servers(lines)):
        yield Found("ipvs", is_whole=True, services=servers)


def _is_v4(key: Key) -> bool:
    return ":" not in key[0]


def _is_v6(key: Key) -> bool:
    return ":" in key[0]


def _tables(lines: Iterable[str]) -> tuple[_Chains, bool]:
    """The chains of `iptables-save` or `iptables -L`, and whether the list of services ends."""
    chains = _Chains()
    table = listed = ""
    is_whole = False
    for line in lines:
        # A comment before it may have been joined to it, as a line that a terminal had broken.
        if line.startswith("*") or (line.startswith("#") and "*" in line):
            table = line[line.rindex("*") :].strip()
        elif line.startswith(":KUBE-SVC-"):
            chains.written += 1
        elif line.startswith("COMMIT"):
            is_whole = is_whole or table == "*nat"
        elif line.startswith("Chain "):
            # What follows the chain of services shows that it is complete.
            is_whole = is_whole or (listed == "KUBE-SERVICES" and bool(chains.entries))
            listed = line.split(" ", 2)[1]
        elif line.startswith("-A KUBE-") and len(line) < _LONGEST:
            _saved(line, chains)
        elif listed.startswith("KUBE-") and " -- " in line and len(line) < _LONGEST:
            _listed(line, listed, chains)
    return chains, is_whole


def _saved(line: str, chains: _Chains) -> None:
    words = line.split()
    chain, target = words[1], _after(words, "-j")
    if address := _after(words, "--to-destination"):
        chains.end(chain, address)
    elif chain == "KUBE-SERVICES":
        place = _after(words, "-d"), _after(words, "--dport"), _after(words, "-p")
        _service(chains, _key(*place), _named(line, '"'), target)
    elif target.startswith("KUBE-"):
        chains.jump(chain, target)


def _listed(line: str, chain: str, chains: _Chains) -> None:
    words = line.split()
    at = words.index("--")
    # With counters, two columns of interfaces stand before the addresses.
    places = words[at + 3 :] if words[at + 1 : at + 2] == ["*"] else words[at + 1 :]
    if at < 2 or len(places) < 2:  # noqa: PLR2004 - a source and a destination
        return
    target, protocol = words[at - 2], words[at - 1]
    if ends := [word[3:] for word in words if word.startswith("to:")]:
        chains.end(chain, ends[0])
    elif chain == "KUBE-SERVICES":
        port = next((word[4:] for word in words if word.startswith("dpt:")), "")
        _service(chains, _key(places[1], port, protocol), _named(line, "/* ", " */"), target)
    elif target.startswith("KUBE-"):
        chains.jump(chain, target)


def _service(chains: _Chains, key: Key | None, name: str, target: str) -> None:
    if target in {"REJECT", "DROP"}:
        chains.enter(key, name, "")
    elif target.startswith("KUBE-") and not target.startswith("KUBE-MARK"):
        chains.enter(key, name, target)


def _nft(lines: Iterable[str]) -> tuple[_Chains, bool]:
    """The chains and maps of `nft`: kube-proxy's own tables, or those of iptables in its form."""
    chains = _Chains()
    holder, is_whole = "", False
    for line in lines:
        rule = line.strip()
        if len(rule) > _LONGEST_MAP:
            continue
        if rule.endswith("{") and rule.startswith(("chain ", "map ", "table ")):
            holder = rule.split()[1].strip('"') if not rule.startswith("table ") else ""
        elif rule == "}":
            is_whole = is_whole or (holder in {"service-ips", "KUBE-SERVICES"})
            holder = ""
        elif holder in {"service-ips", "no-endpoint-services"}:
            _elements(rule, chains, is_served=holder == "service-ips")
        elif holder.startswith(("KUBE-", "service-", "external-")):
            _nft_rule(rule, holder, chains)
    return chains, is_whole


def _elements(rule: str, chains: _Chains, *, is_served: bool) -> None:
    for found in re.finditer(_ELEMENT, rule):
        address, protocol, port, comment, chain = found.groups()
        name = comment or _chain_name(chain)
        chains.enter(_key(address, port, protocol), name, chain if is_served else "")


def _nft_rule(rule: str, chain: str, chains: _Chains) -> None:
    for address, port in re.findall(_ENDPOINT, rule):
        chains.end(chain, f"{address}:{port}")
    if ends := re.search(r"dnat (?:ip6? )?to ([0-9a-fA-F.:\[\]]{3,60})", rule):
        chains.end(chain, ends[1])
        return
    found = re.search(r"(?:jump|goto) ([^\s,}]{1,400})", rule)
    target = found[1] if found else ("REJECT" if " reject" in rule else "")
    if chain != "KUBE-SERVICES":
        chains.jump(chain, target)
        return
    address = re.search(r"\bip6? daddr ([0-9a-fA-F.:/]{2,60})", rule)
    port = re.search(r"\b(tcp|udp|sctp) dport (\d{1,5})", rule)
    if address and port:
        _service(chains, _key(address[1], port[2], port[1]), "", target)


def _chain_name(chain: str) -> str:
    """`service-2QRHZV4L-default/kubernetes/tcp/https` is `default/kubernetes:https`."""
    found = re.fullmatch(r"\w+-\w+-([^/]+/[^/]+)/\w+/(.*)", chain)
    if found is None:
        return ""
    return f"{found[1]}:{found[2]}" if found[2] else found[1]


def _servers(lines: Iterable[str]) -> dict[Key, Held]:
    """The virtual servers of `ipvsadm -Ln`, each above the lines of its real ones."""
    found: dict[Key, set[str]] = {}
    key: Key | None = None
    for line in lines:
        words = line[:_LONGEST].split()
        if len(words) > 1 and words[0] in {"TCP", "UDP", "SCTP"}:
            address, _, port = words[1].rpartition(":")
            key = _key(address.strip("[]"), port, words[0])
            if key:
                found[key] = set()
        elif len(words) > 1 and words[0] == "->" and key and words[1][-1:].isdigit():
            found[key].add(_plain(words[1]))
    return {key: Held("", frozenset(ends), not ends) for key, ends in found.items()}


def _key(address: str, port: str, protocol: str) -> Key | None:
    bare = address.partition("/")[0]
    if not bare or not port.isascii() or not port.isdigit() or len(port) > 5:  # noqa: PLR2004
        return None
    return bare, int(port), _PROTOCOLS.get(protocol, protocol.upper())


def _plain(address: str) -> str:
    return address.replace("[", "").replace("]", "")


def _after(words: list[str], flag: str) -> str:
    at = words.index(flag) + 1 if flag in words else len(words)
    return words[at] if at < len(words) else ""


def _named(line: str, opening: str, closing: str = "") -> str:
    """The service that a comment names, without what it says of it."""
    comment = line.partition(opening)[2].partition(closing or opening)[0]
    return re.sub(_ROLES, "", comment[:300]) if "/" in comment else ""
