"""Keeps the compiled catalogue between runs, so that a start does not grow with the catalogue.

The key is the content of the rule folders as the file system tells it (names, sizes, times), the
installed packages, our version and the matching engine. A file that does not fit its key, or is
damaged, is made again; without a folder to write in, every run compiles.
"""

import json
import os
import sys
import tempfile
import zlib
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, NamedTuple

from sickbay import __version__
from sickbay.engine import matching
from sickbay.engine.cards import Card
from sickbay.engine.catalog import BUILT_IN, Catalog, built_in_folder, load, rule_files
from sickbay.engine.confirm import Pattern
from sickbay.engine.index import Index, Place, build
from sickbay.errors import SickbayError

ENTRY_POINTS: Final = "sickbay.rules"
_KEPT: Final = 6


class Rules(NamedTuple):
    """A catalogue ready for a run."""

    catalog: Catalog
    matcher: matching.Matcher


def open_rules(folders: Iterable[str] = ()) -> Rules:
    """Return the built-in rules, those of installed packages, and those of some folders."""
    own = tuple(os.path.abspath(folder) for folder in folders)  # noqa: PTH100
    for folder in own:
        if not os.path.isdir(folder):  # noqa: PTH112
            raise SickbayError(
                f"{folder} is no folder of rules", "name a folder that holds rule files"
            )
    key = _key(own)
    folder = cache_folder()
    path = os.path.join(folder, f"rules-{zlib.crc32(key.encode()):08x}") if folder else ""  # noqa: PTH118
    kept = _read(path, key) if path else None
    index, database = kept or _compile(own)
    if kept is None and path:
        _write(path, key, index, database)
    return Rules(Catalog(Index(index)), matching.matcher(database))


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
    parts = [__version__, matching.identity(), str(sys.version_info[:2])]
    for folder in (built_in_folder(), *folders):
        parts.append(folder)
        for id, path in rule_files(folder):
            stat = os.stat(path)  # noqa: PTH116
            parts.append(f"{id}:{stat.st_size}:{stat.st_mtime_ns}")
    for entry in sys.path:
        # A package that brings rules changes the folder that it is installed in.
        with suppress(OSError):
            parts.append(f"{entry}:{os.stat(entry).st_mtime_ns}")  # noqa: PTH116
    return "\n".join(parts)


def _compile(folders: tuple[str, ...]) -> tuple[bytes, bytes]:
    cards = list(load(built_in_folder(), BUILT_IN))
    for folder in (*_installed(), *folders):
        cards += load(folder)
    _refuse_twins([(card.id, place) for card, place in cards])
    for card, place in cards:
        _refuse_bad_patterns(card, place)
    index = build(cards)
    signatures = Catalog(Index(index)).signatures()
    return index, matching.compile([signature.pattern for signature in signatures])


def _refuse_bad_patterns(card: Card, place: Place) -> None:
    for signature in card.signatures:
        try:
            matching.check(signature.pattern)
            if signature.unless:
                Pattern(signature.unless)
        except matching.PatternError as error:
            raise SickbayError(f"{place.path or card.id} cannot be used", str(error)) from error


def _installed() -> list[str]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and only needed here

    folders = []
    for point in entry_points(group=ENTRY_POINTS):
        module = point.load()
        folders.append(os.path.dirname(os.path.abspath(module.__file__)))  # noqa: PTH100, PTH120
    return sorted(folders)


def _refuse_twins(rules: list[tuple[str, Place]]) -> None:
    seen: dict[str, Place] = {}
    for id, place in rules:
        if id in seen:
            where = place.path or place.module
            raise SickbayError(f"there are two rules called {id}", f"rename {where}")
        seen[id] = place


def _read(path: str, key: str) -> tuple[bytes, bytes] | None:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read()
        head, _, body = data.partition(b"\n")
        meta = json.loads(head)
        if meta["key"] != key or meta["crc"] != zlib.crc32(body):
            return None
        return body[: meta["index"]], body[meta["index"] :]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(path: str, key: str, index: bytes, database: bytes) -> None:
    body = index + database
    head = json.dumps({"key": key, "crc": zlib.crc32(body), "index": len(index)}).encode()
    folder = os.path.dirname(path)  # noqa: PTH120
    with suppress(OSError):
        handle, name = tempfile.mkstemp(dir=folder, prefix="new-")
        with os.fdopen(handle, "wb") as file:
            file.write(head + b"\n" + body)
        os.replace(name, path)  # noqa: PTH105
        _forget_old(folder)


def _forget_old(folder: str) -> None:
    kept = [entry for entry in os.scandir(folder) if entry.name.startswith("rules-")]
    for entry in sorted(kept, key=lambda one: one.stat().st_mtime_ns)[:-_KEPT]:
        os.unlink(entry.path)  # noqa: PTH108
