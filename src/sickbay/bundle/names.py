"""The things that a text names, and the facts about them that a remedy can use."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from sickbay.bundle.names_kubernetes import Word, objects, split_words
from sickbay.bundle.unwrap_normal import normal
from sickbay.model.ids import Ref, arm, arm_part

_MOST_TEXT: Final = 65_536
_MOST_NAMES: Final = 100
# Patterns stay as text and are compiled when a text has what they look for.
_SEGMENT: Final = r"(?:[\w.()~%*:@+-]|<[^<>\n/]{1,60}>)+"
_ARM: Final = rf"/[Ss](?i:ubscriptions)/{_SEGMENT}(?:/{_SEGMENT})*"
# What an ARM id names only in passing: where an operation runs, what a role or a policy is.
_IN_PASSING: Final = (
    "/locations/",
    "/roledefinitions/",
    "/policydefinitions/",
    "/policysetdefinitions/",
    "/policyassignments/",
)
_URL_HOST: Final = r"https?://(?:[^\s/@\"']{1,200}@)?(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+)"
_HOST: Final = r"([A-Za-z0-9](?:[\w.-]{0,252}[A-Za-z0-9])?)"
# What programs say before a name that did not resolve; so sure that it need not have a dot.
_UNRESOLVED: Final = (
    ("getaddrinfo", rf"\bgetaddrinfo E[A-Z_]+ {_HOST}"),
    ("UnknownHost", rf"\bUnknownHostException: {_HOST}"),
    ("ould not resolve", rf"ould not resolve (?:host|hostname|proxy)(?:: | ['\"]?){_HOST}"),
    ("to resolve '", rf"ailed to resolve '{_HOST}' \(\[Errno"),
    ("resolve host address", rf"nable to resolve host address ['\"]{_HOST}"),
    ("failure resolving", rf"emporary failure resolving '{_HOST}"),
    ("bad address", rf"bad address '{_HOST}"),
    ("translate host name", rf"translate host name \"{_HOST}"),
)
# What the resolver itself says, behind the name.
_RESOLVER_SAYS: Final = (": Temporary failure in name resolution", ": Name or service not known")
_LONGEST_HOST: Final = 255
# Links to explanations are in the text for the reader; nothing is wrong with them.
_EXPLANATIONS: Final = frozenset(
    {"aka.ms", "learn.microsoft.com", "docs.microsoft.com", "go.microsoft.com", "kubernetes.io"}
)
_GUID: Final = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_IPV4: Final = r"(?:\d{1,3}\.){3}\d{1,3}"
# Fact -> (what a text must hold, what then gives the value).
_FACTS: Final[Mapping[str, tuple[str, str]]] = {
    "resource_group": ("esource", r"[Rr]esource ?[Gg]roup(?: name)?:? '([\w.()-]{1,90})'"),
    "subscription": ("ubscription", rf"[Ss]ubscription(?: [Ii][Dd])?:? ['\"]?({_GUID})"),
    "cluster": ("luster", r"[Mm]anaged [Cc]luster ['\"]([\w-]{1,63})['\"]"),
    "pool": ("ool", r"(?:[Aa]gent|[Nn]ode) ?[Pp]ool:? ['\"(]([a-z0-9]{1,12})['\")]"),
    "location": (
        "tion",
        r"\b[Ll]ocation:? ['\"]?([a-z0-9]{4,30})|/locations/([A-Za-z0-9]{4,30})",
    ),
    "vm_size": ("_", r"\b((?:Standard|Basic)_[A-Z]+\d+\w*)"),
    "prefix": ("/", rf"(?<![\d.])({_IPV4}/\d{{1,2}})(?!\d)"),
    "ip": (".", rf"(?<![\d./-])({_IPV4})(?![\d/-]|\.\d)"),
    "code": (
        "",
        r"\b[Cc]ode\"?\s?[=:]\s?[\"']?([A-Z]\w*[a-z]\w*)|(?:^|[:\t] ?)\(([A-Z]\w{3,80})\) ",
    ),
    "correlation_id": ("orrelation", rf"[Cc]orrelation[ _-]?(?:[Ii][Dd])?\W{{1,5}}({_GUID})"),
    "operation_id": (
        "peration",
        rf"[Oo]peration[ _-]?[Ii][Dd]\W{{1,5}}({_GUID})|/operations/({_GUID})",
    ),
}
_REGION_WORDS: Final = ("east", "west", "north", "south", "central", "europe", "asia", "us", "gov")


def subjects(text: str) -> tuple[Ref, ...]:
    """What a text names, most specific and most likely subject first."""
    return _subjects(normal(text[:_MOST_TEXT]))


def words(text: str) -> Mapping[str, str]:
    """Facts that a remedy can use: only those of which the text gives exactly one value."""
    text = normal(text[:_MOST_TEXT])
    found = {name: _values(text, *wanted) for name, wanted in _FACTS.items()}
    found["location"] = [value for value in found["location"] if _is_region(value)]
    for ref in _subjects(text):
        for name, value in _parts(ref):
            found.setdefault(name, []).append(value)
    return {name: values[0] for name, values in sorted(found.items()) if _is_one(values)}


def _subjects(text: str) -> tuple[Ref, ...]:
    resources, containers = _azure(text)
    all_words = split_words(text)
    named = objects(text, all_words)
    pods = [ref for ref in named if ref.kind == "Pod"]
    nodes = [ref for ref in named if ref.kind == "Node"]
    spaces = [ref for ref in named if ref.kind == "Namespace"]
    others = [ref for ref in named if ref.kind not in ("Pod", "Node", "Namespace")]
    ranked = (*pods, *others, *resources, *nodes, *spaces, *containers)
    ranked += (*_unresolved(text), *_hosts(all_words))
    return tuple(dict.fromkeys(ranked))[:_MOST_NAMES]


def _azure(text: str) -> tuple[list[Ref], list[Ref]]:
    if "ubscriptions/" not in text and "/SUBSCRIPTIONS/" not in text:
        return [], []
    found = [arm(_trimmed(match[0])) for match in re.finditer(_ARM, text)]
    resources = [
        ref
        for ref in found
        if "/providers/" in ref.key and not any(part in ref.key for part in _IN_PASSING)
    ]
    groups = [
        ref for ref in found if "/resourcegroups/" in ref.key and "/providers/" not in ref.key
    ]
    return resources, [] if resources else groups or found


def _trimmed(id: str) -> str:
    trimmed = id.rstrip(".:*-+@~%/")
    return trimmed.rstrip(")") if trimmed.count(")") > trimmed.count("(") else trimmed


def _unresolved(text: str) -> Iterator[Ref]:
    for needs, pattern in _UNRESOLVED:
        if needs in text:
            yield from (Ref("host", match[1].casefold()) for match in re.finditer(pattern, text))
    for phrase in _RESOLVER_SAYS:
        for before in text.split(phrase)[:-1]:
            word = before[-_LONGEST_HOST:].rpartition(" ")[2].strip("\"'`()[]<>")
            name = word.rpartition("/")[2].casefold()
            is_error = name.endswith(("error", "exception"))
            if "." in name and not is_error and re.fullmatch(_HOST, name):
                yield Ref("host", name)


def _hosts(all_words: list[Word]) -> Iterator[Ref]:
    before = ["", ""]
    for word in all_words:
        name = ""
        if "://" in word.raw:
            match = re.search(_URL_HOST, word.raw)
            name = match[1] if match and match[1].casefold() not in _EXPLANATIONS else ""
        elif before[1] in ("lookup", "host") or before == ["dial", "tcp"]:
            name = word.bare.rpartition(":")[0] if before[1] == "tcp" else word.bare
        before = [before[1], word.bare]
        name = name.strip("[]").casefold()
        if "." in name or ":" in name:
            yield Ref("host", name)


def _values(text: str, needs: str, pattern: str) -> list[str]:
    if needs not in text:
        return []
    return [next(filter(None, match.groups()), "") for match in re.finditer(pattern, text)]


def _is_one(values: list[str]) -> bool:
    return len({value.casefold() for value in values}) == 1


def _is_region(value: str) -> bool:
    return any(word in value.casefold() for word in _REGION_WORDS)


def _parts(ref: Ref) -> Iterator[tuple[str, str]]:
    if ref.is_arm:
        cluster = arm_part(ref.id, "managedclusters") or arm_part(ref.id, "connectedclusters")
        parts = {
            "subscription": ref.subscription,
            "resource_group": ref.group,
            "cluster": cluster,
            "pool": arm_part(ref.id, "agentpools"),
        }
    elif ref.kind in ("Pod", "Node", "Namespace"):
        parts = {"namespace": ref.namespace, ref.kind.lower(): ref.name}
    else:
        parts = {"namespace": ref.namespace}
    yield from ((name, value) for name, value in parts.items() if value)
