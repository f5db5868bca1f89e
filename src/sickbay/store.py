"""Keeps the compiled catalogue between runs, so that a start does not grow with the catalogue.

The key is the content of the rule folders as the file system tells it (names, sizes, times), the
installed packages, our version and the matching engine. A file that does not fit its key, or is
damaged, is made again; without a folder to write in, every run compiles.
"""

import json
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from sickbay import __version__
from sickbay.engine import matching
from sickbay.engine.cards import Card
from sickbay.engine.catalog import BUILT_IN, Catalog, built_in_folder, load, rule_files
from sickbay.engine.confirm import Pattern
from sickbay.engine.index import FORMAT, Index, Place, build
from sickbay.errors import SickbayError

ENTRY_POINTS: Final = "sickbay.rules"
_KEPT: Final = 6


class Shipped(NamedTuple):
    """The rules that every run has: their folder, and the package that it is."""

    folder: str
    package: str


class Rules(NamedTuple):
    """A catalogue ready for a run."""

    catalog: Catalog
    matcher: matching.Matcher


class _Compiled(NamedTuple):
    table: bytes
    database: bytes
    # Folders of installed packages whose rules are in it.
    installed: tuple[str, ...] = ()


def open_rules(folders: Iterable[str] = (), shipped: Shipped | None = None) -> Rules:
    """Return the built-in rules, those of installed packages, and those of some folders."""
    shipped = shipped or Shipped(built_in_folder(), BUILT_IN)
    own = tuple(os.path.abspath(folder) for folder in folders)  # noqa: PTH100
    for folder in own:
        if not os.path.isdir(folder):  # noqa: PTH112
            raise SickbayError(
                f"{folder} is no folder of rules", "name a folder that holds rule files"
            )
    key = _key((shipped.folder, *own))
    folder = cache_folder()
    path = os.path.join(folder, f"rules-{zlib.crc32(key.encode()):08x}") if folder else ""  # noqa: PTH118
    kept = _read(path, key) if path else None
    compiled = kept or _compile(shipped, own)
    if kept is None and path:
        _write(path, key, compiled)
    return Rules(Catalog(Index(compiled.table)), matching.matcher(compiled.database))


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


def _key(folders: tuple[str, ...]) -> str:
    parts = [__version__, str(FORMAT), matching.identity(), str(sys.version_info[:2])]
    parts += _stamps(folders)
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
    """What changes when a rule is added, changed or taken away."""
    for folder in folders:
        yield folder
        for id, path in rule_files(folder):
            stat = os.stat(path)  # noqa: PTH116
            yield f"{id}:{stat.st_size}:{stat.st_mtime_ns}"


def _compile(shipped: Shipped, folders: tuple[str, ...]) -> _Compiled:
    installed = _installed()
    cards = list(load(*shipped))
    for folder in (*installed, *folders):
        cards += load(folder)
    _refuse_twins([(card.id, place) for card, place in cards])
    index = build(cards)
    # In the order of the index, in which signatures are numbered.
    signatures = list(Catalog(Index(index)).signatures())
    try:
        for signature in signatures:
            if signature.unless:
                Pattern(signature.unless)
        expressions = matching.expressions([signature.pattern for signature in signatures])
    except matching.PatternError as error:
        raise SickbayError(f"{_guilty(cards, error)} cannot be used", str(error)) from error
    return _Compiled(index, matching.compile(expressions), installed)


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


def _read(path: str, key: str) -> _Compiled | None:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            meta = json.loads(file.readline())
            table = file.read(meta["index"])
            database = file.read()
        installed = tuple(meta["installed"])
        is_current = meta["key"] == key and meta["stamps"] == list(_stamps(installed))
        if not is_current or meta["crc"] != zlib.crc32(database, zlib.crc32(table)):
            return None
        return _Compiled(table, database, installed)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(path: str, key: str, compiled: _Compiled) -> None:
    body = compiled.table + compiled.database
    meta = {
        "key": key,
        "crc": zlib.crc32(body),
        "index": len(compiled.table),
        "installed": compiled.installed,
        "stamps": list(_stamps(compiled.installed)),
    }
    import tempfile  # noqa: PLC0415 - slow, and a run that finds its file does not need it

    folder = os.path.dirname(path)  # noqa: PTH120
    with suppress(OSError):
        handle, name = tempfile.mkstemp(dir=folder, prefix="new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(json.dumps(meta).encode() + b"\n" + body)
            os.replace(name, path)  # noqa: PTH105
        except OSError:
            os.unlink(name)  # noqa: PTH108
            return
        _forget_old(folder)


def _forget_old(folder: str) -> None:
    kept = [entry for entry in os.scandir(folder) if entry.name.startswith("rules-")]
    for entry in sorted(kept, key=lambda one: one.stat().st_mtime_ns)[:-_KEPT]:
        os.unlink(entry.path)  # noqa: PTH108
