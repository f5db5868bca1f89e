"""Command lines of kubectl in a text: what was asked, and of which namespace."""

import re
from typing import Final, NamedTuple

from sickbay.bundle.foreign.kubectl_columns import UNTOLD_NAMESPACE, kind_called

_LONGEST: Final = 2_000
_COMMAND: Final = r"(?:^|[\s$#>])(?:kubectl(?:\.exe)?|oc|k) +(?P<rest>\S.*)"
# A prompt stands before a command; `user@host:~$`, `PS C:\>`, `[root@node ~]#`.
_PROMPT: Final = r"(?:\S{0,100}(?: ?~?\]| [~/]\S{0,100})?[$#%>]|PS [A-Z]:\S{0,200}>) *\S"
_BARE: Final = ("kubectl ", "kubectl.exe ", "az ", "crictl ", "docker ", "helm ")
_NAMESPACE: Final = r"(?:^| )(?:-n|--namespace)(?:[ =]| ?)['\"]?([a-z0-9][a-z0-9-]{0,62})"
_FILTER: Final = r"(?:^| )(?:-l|--selector|--field-selector|--chunk-size|--limit)\b|[|]"
_LABELS: Final = r"(?:^| )(?:-l|--selector)(?:[ =]+)['\"]?([\w./=,!-]+)"
_WITH_VALUE: Final = (
    *("-n", "--namespace", "-o", "--output", "--context", "--cluster", "--kubeconfig"),
    *("--sort-by", "-L", "--label-columns", "-l", "--selector", "--field-selector"),
)


class Command(NamedTuple):
    """What a command line asked for; empty where none is shown."""

    verb: str = ""
    kind: str = ""
    # The word that names the kind, also where it is not one that we know.
    resource: str = ""
    names: tuple[str, ...] = ()
    namespace: str = ""
    of_all: bool = False
    is_filtered: bool = False
    labels: dict[str, str] | None = None

    @property
    def lists_all(self) -> bool:
        """Whether the answer holds every object of its kind in a scope that is told."""
        told = bool(self.namespace) or self.of_all
        return self.verb == "get" and told and not self.names and not self.is_filtered

    @property
    def scope(self) -> str:
        return "" if self.of_all else self.namespace or UNTOLD_NAMESPACE


def is_prompt(line: str) -> bool:
    """Whether a line is one that somebody typed, not one that a program printed."""
    if line.startswith(_BARE):
        return True
    is_marked = line[:1] in "$#%>[P" and bool(re.match(_PROMPT, line))
    return is_marked or _is_shell_prompt(line)


def _is_shell_prompt(line: str) -> bool:
    head = line[:200]
    return "@" in head and bool(re.match(r"[\w.-]{1,64}@[\w.-]{1,128}:\S{0,100}[$#] ", head))


def command_in(line: str) -> Command | None:
    """The command of kubectl that a line shows."""
    if len(line) > _LONGEST or (
        "kubectl" not in line and not line.startswith(("k ", "$ k ", "oc "))
    ):
        return None
    found = re.search(_COMMAND, line)
    return _parsed(found["rest"]) if found else None


def _parsed(rest: str) -> Command:
    asked = rest.partition("|")[0]
    words = _plain_words(asked.split())
    verb = words[0] if words else ""
    resource, names = (words[1], words[2:]) if len(words) > 1 else ("", [])
    resource, slash, name = resource.partition("/")
    namespace = re.search(_NAMESPACE, asked)
    return Command(
        verb,
        kind_called(resource),
        resource,
        (name, *names) if slash else tuple(names),
        namespace[1] if namespace else "",
        bool(re.search(r"(?:^| )(?:-A|--all-namespaces)\b", asked)),
        bool(re.search(_FILTER, rest)),
        _labels(asked),
    )


def _labels(asked: str) -> dict[str, str] | None:
    """The labels that were asked for, where each has one value."""
    found = re.search(_LABELS, asked)
    pairs = [pair.split("=", 1) for pair in re.sub("==", "=", found[1]).split(",")] if found else []
    is_plain = all(len(pair) == 2 and not pair[0].endswith("!") for pair in pairs)  # noqa: PLR2004
    return dict(pairs) if pairs and is_plain else None


def _plain_words(words: list[str]) -> list[str]:
    """The words that are neither options nor their values."""
    plain, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = word in _WITH_VALUE
        elif word.startswith((">", "2>", "&", ";", "#")):
            break
        else:
            plain.append(word)
    return plain
