"""Which block of CoreDNS's configuration answers a name, and what it does with it."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from sickbay.network.corefile import DNS_PORT, Corefile, Plugin, ServerBlock

_LONGEST_NAME: Final = 253
_LONGEST_PATTERN: Final = 500
_REWRITE_FLOW: Final = frozenset({"stop", "continue"})
_MATCHES: Final = frozenset({"exact", "prefix", "suffix", "substring", "regex"})
# By this AKS answers at once for what search domains make of other names.
_MACHINES: Final = r"^(?:[^.]+\.){4,}internal\.cloudapp\.net\.$"
_LONG_MACHINE: Final = 6


class Action(StrEnum):
    SERVICE = "service"  # the kubernetes plugin answers for the cluster's own names
    ADDRESS = "address"  # the answer stands in the configuration
    FORWARD = "forward"  # other servers are asked
    MISSING = "missing"  # an answer that there is no such name
    FAILURE = "failure"  # SERVFAIL or REFUSED
    UNSURE = "unsure"  # a rule that is not evaluated here may change the answer


class Course(NamedTuple):
    """What happens to a name: `name` is what is asked after all rewriting."""

    action: Action
    name: str
    says: str
    place: str = ""
    servers: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()


def course_of(corefile: Corefile, name: str) -> Course:
    """Follow a name through the configuration, in the order in which CoreDNS asks its plugins."""
    name = name.casefold().rstrip(".")
    if len(name) > _LONGEST_NAME:
        return Course(Action.FAILURE, name[:_LONGEST_NAME], "the name is too long")
    block = _serving(corefile, name)
    if block is None:
        return Course(Action.FAILURE, name, "no server block serves the name")
    rewritten = _rewritten(block, name)
    if isinstance(rewritten, Course):
        return rewritten
    for ask in (_by_template, _by_hosts, _by_kubernetes, _by_forward):
        for plugin in block.plugins:
            found = ask(plugin, block, rewritten)
            if found is not None:
                return found
    return Course(Action.FAILURE, rewritten, f"block {block.label} has no answer", block.place)


def is_within(name: str, zone: str) -> bool:
    """Whether a name is a zone or lies below it."""
    zone = zone.casefold().strip(".")
    return not zone or name == zone or name.endswith(f".{zone}")


def _serving(corefile: Corefile, name: str) -> ServerBlock | None:
    found: tuple[int, ServerBlock] | None = None
    for block in corefile.blocks:
        for zone, port in block.zones:
            if port == DNS_PORT and is_within(name, zone) and (not found or len(zone) > found[0]):
                found = (len(zone), block)
    return found[1] if found else None


class _Rewrite(NamedTuple):
    how: str
    old: str
    new: str
    goes_on: bool
    place: str


def _rewrites(block: ServerBlock) -> Iterator[_Rewrite]:
    """The rules of a block that change names, in their order."""
    for plugin in block.plugins:
        words = [word.casefold() for word in plugin.arguments if plugin.name == "rewrite"]
        goes_on = words[:1] == ["continue"]
        if words and words[0] in _REWRITE_FLOW:
            words = words[1:]
        if words[:1] != ["name"]:
            continue
        how, *rest = words[1:] if words[1:2] and words[1] in _MATCHES else ["exact", *words[1:]]
        # Nothing that is much longer than a name can be part of one.
        if len(rest) >= len(("old", "new")) and max(map(len, rest)) <= _LONGEST_PATTERN:
            yield _Rewrite(how, rest[0], rest[1], goes_on, plugin.place)


def _rewritten(block: ServerBlock, name: str) -> str | Course:
    for rule in _rewrites(block):
        changed = _changed(name, rule.how, rule.old, rule.new)
        if changed is None:
            says = f"a rewrite by regular expression may change the name ({rule.place})"
            return Course(Action.UNSURE, name, says, rule.place)
        if len(changed) > _LONGEST_NAME:
            says = f"the rewrite at {rule.place} makes a name that is too long"
            return Course(Action.FAILURE, name, says, rule.place)
        if changed != name and not rule.goes_on:
            return changed
        name = changed
    return name


def _changed(name: str, how: str, old: str, new: str) -> str | None:
    """The name after one rewrite; None when that cannot be told."""
    if how == "regex":
        return None if _may_match(old, name) else name
    new = new.rstrip(".") if how in {"exact", "suffix"} else new
    if how == "exact":
        return new if name == old.rstrip(".") else name
    if how == "prefix":
        return new + name[len(old) :] if name.startswith(old) else name
    if how == "suffix":
        end = old.rstrip(".")
        return name[: len(name) - len(end)] + new if name.endswith(end) else name
    return name.replace(old, new) if old else name


def _may_match(pattern: str, name: str) -> bool:
    """Whether an expression may match: one that ends in plain words matches nothing else."""
    if len(pattern) > _LONGEST_PATTERN:
        return True
    end = pattern.removesuffix("$").removesuffix("\\.").removesuffix("\\.?")
    plain = ""
    while end:
        if end.endswith("\\."):
            plain, end = f".{plain}", end[:-2]
        elif end[-1].isalnum() or end[-1] == "-":
            plain, end = f"{end[-1]}{plain}", end[:-1]
        else:
            break
    # The first plain character may belong to what stands before it, as in `[a-z]+\\d`.
    plain = plain.partition(".")[2] if end and "." in plain else ("" if end else plain)
    return name.endswith(plain)


def _by_template(plugin: Plugin, block: ServerBlock, name: str) -> Course | None:
    if plugin.name != "template":
        return None
    zones = plugin.arguments[2:] or tuple(zone for zone, _ in block.zones)
    matches = [line[1] for line in plugin.lines if line[0] == "match" and len(line) > 1]
    is_for_it = not matches or any(_may_match(match, name) for match in matches)
    if not is_for_it or not any(is_within(name, zone) for zone in zones):
        return None
    is_usual = bool(matches) and all(match == _MACHINES for match in matches)
    if is_usual and name.count(".") < _LONG_MACHINE:
        return None
    rcode = next((line[1].upper() for line in plugin.lines if line[:-1] == ("rcode",)), "NOERROR")
    if rcode == "NXDOMAIN" and (is_usual or not matches):
        says = f"the template at {plugin.place} answers that the name does not exist"
        return Course(Action.MISSING, name, says, plugin.place)
    says = f"the template at {plugin.place} may answer"
    return Course(Action.UNSURE, name, says, plugin.place)


def _by_hosts(plugin: Plugin, block: ServerBlock, name: str) -> Course | None:
    if plugin.name != "hosts":
        return None
    arguments = plugin.arguments[1:] if plugin.arguments[:1] else ()
    if arguments and not any(is_within(name, zone) for zone in arguments):
        return None
    found = tuple(
        line[0] for line in plugin.lines if name in {word.casefold() for word in line[1:]}
    )
    if found:
        says = f"the hosts at {plugin.place} hold {', '.join(found)} for it"
        return Course(Action.ADDRESS, name, says, plugin.place, addresses=found)
    if plugin.arguments:
        return Course(
            Action.UNSURE, name, "a hosts file that was not read may answer", plugin.place
        )
    through = next((line for line in plugin.lines if line[0] == "fallthrough"), None)
    if through and (len(through) == 1 or any(is_within(name, zone) for zone in through[1:])):
        return None
    says = f"the hosts at {plugin.place} have no fallthrough: every other name gets SERVFAIL"
    return Course(Action.FAILURE, name, f"{says} in block {block.label}", plugin.place)


def _by_kubernetes(plugin: Plugin, block: ServerBlock, name: str) -> Course | None:
    if plugin.name != "kubernetes":
        return None
    zones = plugin.arguments or tuple(zone for zone, _ in block.zones)
    if not any(is_within(name, zone) for zone in zones):
        return None
    through = next((line for line in plugin.lines if line[0] == "fallthrough"), None)
    if through and any(is_within(name, zone) for zone in through[1:]):
        return None
    return Course(Action.SERVICE, name, "the services of the cluster", plugin.place)


def _by_forward(plugin: Plugin, block: ServerBlock, name: str) -> Course | None:
    if plugin.name != "forward" or not plugin.arguments:
        return None
    excepted = [zone for line in plugin.lines if line[0] == "except" for zone in line[1:]]
    if not is_within(name, plugin.arguments[0]) or any(is_within(name, one) for one in excepted):
        return None
    servers = tuple(_address(word) for word in plugin.arguments[1:])
    says = f"block {block.label} forwards to {', '.join(servers) or 'nobody'} ({plugin.place})"
    if not servers:
        return Course(Action.FAILURE, name, says, plugin.place)
    return Course(Action.FORWARD, name, says, plugin.place, servers)


def _address(word: str) -> str:
    """The server without its scheme and port."""
    rest = word.rpartition("://")[2]
    if rest.startswith("["):
        return rest[1:].partition("]")[0]
    host, colon, port = rest.rpartition(":")
    return host if colon and port.isdecimal() and ":" not in host else rest
