"""Keeps the compiled catalogue between runs, so that a start does not grow with the catalogue.

The key is the content of the rule folders as the file system tells it (names, sizes, times), the
installed packages, our version and the matching engine. A file that does not fit its key, or is
damaged, is made again; without a folder to write in, every run compiles.
"""

import marshal
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

from sickbay import __version__
from sickbay.engine import matching
from sickbay.engine.cards import Card
from sickbay.engine.catalog import (
    BUILT_IN,
    Catalog,
    built_in_folder,
    families,
    load,
    rule_names,
)
from sickbay.engine.confirm import Pattern
from sickbay.engine.index import FORMAT, Index, Place, Span, Written, build
from sickbay.errors import SickbayError
from sickbay.progress import Observer, Stage, ignore
from sickbay.record import NamedTuple

ENTRY_POINTS: Final = "sickbay.rules"
_KEPT: Final = 6
_LENGTH: Final = 4
_READ: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_MAKERS: Final = ("engine", "model", "rulekit")
_COMPILING: Final = Stage("making the rules ready; the next run need not")


class Shipped(NamedTuple):
    """The rules that every run has: their folder, and the package that it is."""

    folder: str
    package: str


class Rules(NamedTuple):
    """A catalogue ready for a run."""

    catalog: Catalog
    matcher: matching.Matcher


class _Compiled(NamedTuple):
    written: Written
    database: bytes
    # Folders of installed packages whose rules are in it.
    installed: tuple[str, ...] = ()

    def opened(self) -> Rules:
        return Rules(Catalog(self.written.opened()), matching.matcher(self.database))


class _Kept:
    """A file of which only those cards are read that a run asks for."""

    def __init__(self, path: str, number: int, key: str) -> None:
        """ValueError if the open file of this number is not what it should be."""
        self._path = path
        self._open = number
        self._file = open(number, "rb", closefd=False)  # noqa: SIM115 - closed by number
        written = self._file.read(self._number())
        # What cannot be trusted is not even decoded. A database checks itself.
        if zlib.crc32(written) != self._number():
            raise ValueError("a damaged file")
        was, stamps, installed, self._table = marshal.loads(written)  # noqa: S302 - our own file
        if was != key or stamps != tuple(_stamps(installed)):
            raise ValueError("compiled from other rules")
        self._database = self._file.read(self._number())
        self._cards = self._file.tell()

    def __del__(self) -> None:
        # As long as the catalogue: nobody else knows when the last card was asked for.
        os.close(self._open)

    def _number(self) -> int:
        return int.from_bytes(self._file.read(_LENGTH))

    def opened(self) -> Rules:
        return Rules(Catalog(Index(self._table, self._card)), matching.matcher(self._database))

    def _card(self, span: Span) -> bytes:
        start, end, crc = span
        self._file.seek(self._cards + start)
        data = self._file.read(end - start)
        if zlib.crc32(data) != crc:
            with suppress(OSError):
                os.unlink(self._path)  # noqa: PTH108
            raise SickbayError("the compiled rules were damaged", "run again: they are made anew")
        return data


def open_rules(
    folders: Iterable[str] = (), shipped: Shipped | None = None, observer: Observer = ignore
) -> Rules:
    """Return the built-in rules, those of installed packages, and those of some folders."""
    shipped = shipped or Shipped(built_in_folder(), BUILT_IN)
    own = tuple(os.path.abspath(folder) for folder in folders)  # noqa: PTH100
    for folder in own:
        if not os.path.isdir(folder):  # noqa: PTH112
            raise SickbayError(
                f"{folder} is no folder of rules", "name a folder that holds rule files"
            )
    key = _key(shipped.folder, own)
    folder = cache_folder()
    path = os.path.join(folder, f"rules-{zlib.crc32(key.encode()):08x}") if folder else ""  # noqa: PTH118
    # A file of other rules, of another machine, or a damaged one is no reason to fail.
    with suppress(OSError, ValueError, EOFError, TypeError):
        if path:
            return _Kept(path, os.open(path, _READ), key).opened()
    try:
        compiled = _compile(shipped, own, observer)
    finally:
        observer(Stage(""))
    if path:
        _write(path, key, compiled)
    return compiled.opened()


def cache_folder() -> str:
    """The folder for what can be made again, ours alone; an empty string if there is none."""
    chosen = os.environ.get("SICKBAY_CACHE")
    if not chosen:
        home = os.path.expanduser("~")  # noqa: PTH111
        if sys.platform == "win32":
            base = os.environ.get("LOCALAPPDATA") or home
        elif sys.platform == "darwin":
            base = os.path.join(home, "Library", "Caches")  # noqa: PTH118
        else:
            base = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")  # noqa: PTH118
        chosen = os.path.join(base, "sickbay")  # noqa: PTH118
    try:
        os.makedirs(chosen, mode=0o700, exist_ok=True)  # noqa: PTH103
        if hasattr(os, "getuid") and os.stat(chosen).st_uid != os.getuid():  # noqa: PTH116
            return ""
    except OSError:
        return ""
    return chosen


def _key(shipped: str, folders: tuple[str, ...]) -> str:
    parts = [__version__, str(FORMAT), matching.identity(), str(sys.version_info[:2])]
    parts += [*_makers(shipped), *_stamps((shipped, *folders))]
    for entry in _package_folders():
        with suppress(OSError):
            parts.append(f"{entry}:{os.stat(entry).st_mtime_ns}")  # noqa: PTH116
    return "\n".join(parts)


def _package_folders() -> list[str]:
    """Where packages are installed: one that brings rules changes the folder that it comes into.

    The current folder and that of the script are on the path too, and change all the time.
    """
    chosen = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return [entry for entry in sys.path if entry.endswith("-packages") or entry in chosen]


def _stamps(folders: Iterable[str]) -> Iterator[str]:
    """What changes when a rule is added, changed or taken away.

    Every run asks it of every rule, so that nothing is made for each of them. Where packages are
    installed nobody edits a file: there a rule comes and goes with its package, and its folder.
    """
    for folder in folders:
        yield folder
        tell = _told_by_folder if _is_installed(folder) else _told_by_files
        for family, path in families(folder):
            yield f"{family}\n{tell(path)}"


def _makers(shipped: str) -> Iterator[str]:
    """What rules are compiled with, where somebody may be working on it."""
    if not _is_installed(shipped):
        for name in _MAKERS:
            path = os.path.join(os.path.dirname(shipped), name)  # noqa: PTH118, PTH120
            if os.path.isdir(path):  # noqa: PTH112
                yield _told_by_files(path)


def _is_installed(folder: str) -> bool:
    return any(
        entry.endswith("-packages") and folder.startswith(entry + os.sep) for entry in sys.path
    )


def _told_by_folder(path: str) -> str:
    return str(os.stat(path).st_mtime_ns)  # noqa: PTH116


def _told_by_files(path: str) -> str:
    stat, separator = os.stat, os.sep
    names = rule_names(path)
    told = [stat(f"{path}{separator}{name}") for name in names]
    times, sizes = [one.st_mtime_ns for one in told], [one.st_size for one in told]
    # Hashes of numbers are the same in each run, and shorter than their digits.
    return "\n".join([*names, str(hash(tuple(times))), str(hash(tuple(sizes)))])


def _compile(shipped: Shipped, folders: tuple[str, ...], observer: Observer) -> _Compiled:
    observer(_COMPILING)
    installed = _installed()
    cards = list(load(*shipped))
    for folder in (*installed, *folders):
        cards += load(folder)
    _refuse_twins([(card.id, place) for card, place in cards])
    index = build(cards)
    # In the order of the index, in which signatures are numbered.
    signatures = list(Catalog(index.opened()).signatures())
    patterns = _watched([signature.pattern for signature in signatures], observer)
    try:
        for signature in signatures:
            if signature.unless:
                Pattern(signature.unless).compile()
        expressions = matching.expressions(patterns)
    except matching.PatternError as error:
        raise SickbayError(f"{_guilty(cards, error)} cannot be used", str(error)) from error
    return _Compiled(index, matching.compile(expressions), installed)


def _watched(patterns: Iterable[str], observer: Observer) -> Iterator[str]:
    """The same patterns; each takes a while, and all of them seconds."""
    for pattern in patterns:
        observer(_COMPILING)
        yield pattern
    observer(_COMPILING)


def _guilty(cards: list[tuple[Card, Place]], error: matching.PatternError) -> str:
    """The rule whose pattern is at fault."""
    for card, place in cards:
        if any(error.pattern in (one.pattern, one.unless) for one in card.signatures):
            return place.path or card.id
    return "a rule"


def _installed() -> tuple[str, ...]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and only needed here

    folders = []
    for point in entry_points(group=ENTRY_POINTS):
        try:
            module = point.load()
        except (ImportError, SyntaxError, AttributeError) as error:
            raise SickbayError(
                f"the rules of {point.value} cannot be loaded", str(error)
            ) from error
        places = list(getattr(module, "__path__", ())) or [os.path.dirname(module.__file__)]  # noqa: PTH120
        folders += [os.path.abspath(place) for place in places]  # noqa: PTH100
    return tuple(sorted(folders))


def _refuse_twins(rules: list[tuple[str, Place]]) -> None:
    seen: dict[str, Place] = {}
    for id, place in rules:
        if id in seen:
            where = place.path or place.module
            raise SickbayError(f"there are two rules called {id}", f"rename {where}")
        seen[id] = place


def _write(path: str, key: str, compiled: _Compiled) -> None:
    stamps = tuple(_stamps(compiled.installed))
    told = marshal.dumps((key, stamps, compiled.installed, compiled.written.table))
    parts = [_number(len(told)), told, _number(zlib.crc32(told))]
    parts += (_number(len(compiled.database)), compiled.database, compiled.written.cards)
    import tempfile  # noqa: PLC0415 - slow, and a run that finds its file does not need it

    folder = os.path.dirname(path)  # noqa: PTH120
    with suppress(OSError):
        handle, name = tempfile.mkstemp(dir=folder, prefix="new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines(parts)
            os.replace(name, path)  # noqa: PTH105
        except OSError:
            os.unlink(name)  # noqa: PTH108
            return
        _forget_old(folder)


def _number(value: int) -> bytes:
    return value.to_bytes(_LENGTH)


def _forget_old(folder: str) -> None:
    kept = [entry for entry in os.scandir(folder) if entry.name.startswith("rules-")]
    for entry in sorted(kept, key=lambda one: one.stat().st_mtime_ns)[:-_KEPT]:
        os.unlink(entry.path)  # noqa: PTH108
