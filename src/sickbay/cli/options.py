"""Options that every command has, and how a result is written."""

import os
import sys
from typing import TYPE_CHECKING, BinaryIO, Final, TextIO

from sickbay.errors import SickbayError
from sickbay.progress import Event, FileRead, Observer, ignore
from sickbay.record import NamedTuple

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from types import SimpleNamespace

# More than this is no pasted text: it is kept on disk and read as a stream.
MOST_IN_MEMORY: Final = 64 << 20
FORMATS: Final = ("text", "json", "yaml", "markdown", "html", "junit", "sarif")
_SHOW_AFTER: Final = 1.0
_PACE: Final = 0.1


def add_common(parser: "argparse.ArgumentParser", formats: tuple[str, ...] = FORMATS) -> None:
    """Add what every command understands."""
    parser.add_argument(
        "-o", "--output", choices=formats, default="text", help="form of the result"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress on stderr")
    parser.add_argument("-v", "--verbose", action="store_true", help="say more, on stderr too")
    parser.add_argument("--no-color", action="store_true", help="no colour (also: NO_COLOR)")


def add_rules(parser: "argparse.ArgumentParser") -> None:
    """Add the option for rules of one's own."""
    parser.add_argument(
        "--rules", action="append", default=[], metavar="DIR", help="a folder with more rules"
    )


def use_colour(args: "argparse.Namespace | SimpleNamespace") -> bool:
    """Whether stdout is a terminal that wants colour."""
    if args.no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def write(text: str) -> None:
    """Write a result to stdout as UTF-8, whatever the terminal's locale."""
    if sys.stdout is None:
        raise SickbayError("the result cannot be written", "standard output is closed")
    data = text if text.endswith("\n") else text + "\n"
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data.encode("utf-8", "replace"))
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is still held back would be tried again, and complained of, at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        hint = error.strerror or str(error)
        raise SickbayError("the result cannot be written", hint) from None


def observer(args: "argparse.Namespace | SimpleNamespace") -> Observer:
    """Progress on stderr for work that takes more than a second; none when it is not wanted."""
    if args.quiet or sys.stderr is None or not sys.stderr.isatty():
        return ignore
    import time

    return Progress(sys.stderr, time.monotonic)


class Progress:
    """One line on a terminal, rewritten as the work goes on."""

    def __init__(self, terminal: TextIO, clock: "Callable[[], float]") -> None:
        self._terminal = terminal
        self._clock = clock
        self._start = clock()
        self._last = 0.0
        self._stage = self._line = ""
        self._files = 0
        self._bytes = 0

    def __call__(self, event: Event) -> None:
        if isinstance(event, FileRead):
            self._files += 1
            self._bytes += event.size
            self._show(f"reading {event.source[-40:]}")
        elif event.says:
            self._show(event.says, event.says)
        elif self._line:
            self._write("")

    def _show(self, says: str, stage: str = "") -> None:
        """Show what goes on; the same stage, and one file after the other, at a pace."""
        now = self._clock()
        is_new = stage != self._stage
        if now - self._start < _SHOW_AFTER or (now - self._last < _PACE and not is_new):
            return
        self._last, self._stage = now, stage
        files = "1 file" if self._files == 1 else f"{self._files} files"
        line = f"{files}, {self._bytes / 1e6:.0f} MB: {says}" if self._files else says
        if line != self._line:
            self._write(line)

    def _write(self, line: str) -> None:
        self._line = line
        print(f"\r\x1b[K{line}", end="", file=self._terminal, flush=True)


class Input(NamedTuple):
    """What was handed in: all of it, or its beginning and a reader of the rest."""

    source: str
    data: bytes
    rest: BinaryIO | None = None


def read_input(path: str) -> Input:
    """Read a file or stdin as far as memory is meant for it; one clear line if it cannot be."""
    try:
        reader, source = _opened(path)
        data = reader.read(MOST_IN_MEMORY + 1)
    except IsADirectoryError:
        raise SickbayError(f"{path} is a folder", f"use: sickbay diagnose --from {path}") from None
    except OSError as error:
        raise SickbayError(f"cannot read {path}", error.strerror or str(error)) from None
    return Input(source, data, reader if len(data) > MOST_IN_MEMORY else None)


def _opened(path: str) -> tuple[BinaryIO, str]:
    if path != "-":
        return open(path, "rb"), os.path.basename(path)  # noqa: PTH119, PTH123
    if sys.stdin is None or sys.stdin.isatty():
        raise SickbayError(
            "nothing to explain",
            "name a file, or pipe a text: kubectl describe … | sickbay explain",
        )
    return sys.stdin.buffer, "stdin"
