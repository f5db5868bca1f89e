"""Passwords among the arguments of commands that take them without saying so."""

from collections.abc import Iterator
from typing import Final

from sickbay.bundle.secretkeys import compiled, holds_no_secret
from sickbay.bundle.secretvalues import Span, quoted_end

_LONGEST: Final = 2000
_OPEN: Final = r"""(?P<open>\\*+["'])?+"""
_SHORT_FLAG: Final = r"[ \t]-p(?:[ \t]++|=)?" + _OPEN + r"""(?P<value>[^\s"'\\]*+)"""
_USER_FLAG: Final = (
    r"[ \t](?:-u|--user|-U|--proxy-user)(?:[ \t]++|=)?" + _OPEN + r"""[^\s:"'\\]*+:"""
    r"""(?P<value>[^\s"'\\]++)"""
)
_SECURE_STRING: Final = (
    r"[ \t](?:-String[ \t]++)?" + _OPEN + r"""(?P<value>[^\s"'\\-][^\s"'\\]*+)"""
)
# What a line holds, what must stand before it, and where the password is.
_COMMANDS: Final = (
    (
        " login",
        ("az", "docker", "podman", "registry", "oras", "acr", "nerdctl", "helm", "buildah"),
        _SHORT_FLAG,
    ),
    ("sshpass", ("",), _SHORT_FLAG),
    ("curl ", ("",), _USER_FLAG),
    ("convertto-securestring", ("",), _SECURE_STRING),
)
LITERALS: Final = tuple(literal for literal, _, _ in _COMMANDS)


def command_secrets(text: str, lowered: str) -> Iterator[Span]:
    """Passwords in lines that log in."""
    for literal, before, pattern in _COMMANDS:
        at = lowered.find(literal)
        while at >= 0:
            end = at + 1
            if lowered.endswith(before, max(0, at - 10), at):
                newline = text.find("\n", at, at + _LONGEST)
                end = at + _LONGEST if newline < 0 else newline
                yield from _passwords(pattern, text, at, end)
            at = lowered.find(literal, end)


def _passwords(pattern: str, text: str, at: int, end: int) -> Iterator[Span]:
    for found in compiled(pattern).finditer(text, at, end):
        start, last = found.span("value")
        if found["open"]:
            last = quoted_end(text, start, found["open"])
        if not holds_no_secret(text[start:last]):
            yield Span(start, last, "password")
