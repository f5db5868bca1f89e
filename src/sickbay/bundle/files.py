"""What a user hands in, a file, an archive or a folder, as evidence in a fixed order."""

import io
import os
import stat
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from sickbay.bundle.intake import Evidence, Limits, Notes, Place, Total, UnreadableError, shown
from sickbay.bundle.magic import HEAD, is_packed
from sickbay.errors import SickbayError
from sickbay.model.evidence import Gap, Reason

__all__ = ["Evidence", "Limits", "UnreadableError", "walk"]

_STANDARD: Final = Limits()
_VERSION_CONTROL: Final = frozenset((".git", ".hg", ".svn"))
_BUFFER: Final = 64 << 10


def walk(path: str, limits: Limits = _STANDARD) -> Iterator[Evidence | Gap]:
    """All evidence below a path, and a Gap for each thing that could not be opened.

    A Gap about evidence that breaks while being read follows that evidence, so read each before
    asking for the next. What breaks after the walk is over raises `UnreadableError`.
    """
    notes = Notes()
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - pathlib is slow to import
        root = os.path.realpath(path)
        if stat.S_ISDIR(mode):
            found = _folder(root, _listed(root), limits, notes)
            return _told(_some(found, shown(os.path.split(root)[1])), notes)
        place = Place(shown(os.path.split(path)[1]), 0, limits, notes, Total())
        if stat.S_ISFIFO(mode):
            return _told(_pipe(os.open(path, os.O_RDONLY), place), notes)
        if not stat.S_ISREG(mode):
            raise SickbayError(f"{path} is neither a file nor a folder", "save it to a file first")
        os.close(os.open(root, _flags()))
    except OSError as failure:
        raise SickbayError(f"{path} cannot be read", failure.strerror or str(failure)) from failure
    return _told(_alone(_file(root, place), place), notes)


def _told(items: Iterator[Evidence | Gap], notes: Notes) -> Iterator[Evidence | Gap]:
    """The items, each followed by what broke while it was read."""
    try:
        for item in items:
            yield from notes.drain()
            yield item
            yield from notes.drain()
        yield from notes.drain()
    finally:
        notes.close()


def _some(items: Iterator[Evidence | Gap], source: str) -> Iterator[Evidence | Gap]:
    """A folder was meant to hold something."""
    is_empty = True
    for item in items:
        is_empty = False
        yield item
    if is_empty:
        hint = "name the folder that the outputs were saved to"
        yield Gap(source, "holds no file", Reason.NOT_UNDERSTOOD, hint, asked_for=True)


def _alone(items: Iterator[Evidence | Gap], place: Place) -> Iterator[Evidence | Gap]:
    """In a folder an empty file is complete; alone it was meant to hold something."""
    for item in items:
        if isinstance(item, Gap) and item.source == place.source:
            yield item._replace(asked_for=True)
        else:
            yield item


def _pipe(descriptor: int, place: Place) -> Iterator[Evidence | Gap]:
    """What a shell hands in as `<(command)`: kept, because it can be read only once."""
    from sickbay.bundle.archives import expand  # noqa: PLC0415 - a plain file shall not pay for it
    from sickbay.bundle.sections import seekable  # noqa: PLC0415

    kept = seekable(lambda: io.BufferedReader(_PlainFile(descriptor, place)), place.limits)
    if kept is None:
        yield place.gap(Reason.REFUSED, "more than can be kept", "save it to a file first")
        return
    yield from _alone(expand(kept, None, place), place)


def _folder(
    root: str, entries: list[os.DirEntry[str]], limits: Limits, notes: Notes
) -> Iterator[Evidence | Gap]:
    waiting = entries[::-1]
    while waiting:
        entry = waiting.pop()
        source = shown(os.path.relpath(entry.path, root).replace(os.sep, "/"))
        place = Place(source, 0, limits, notes, Total())
        try:
            if entry.is_symlink():
                yield from _link(entry.path, root, place)
            elif entry.is_dir(follow_symlinks=False):
                waiting += _listed(entry.path)[::-1] if entry.name not in _VERSION_CONTROL else ()
            elif entry.is_file(follow_symlinks=False):
                yield from _file(entry.path, place)
            else:
                yield Gap(source, "neither a file nor a folder, not opened", Reason.REFUSED)
        except OSError as failure:
            yield _unreadable(place, failure)


def _listed(folder: str) -> list[os.DirEntry[str]]:
    """The entries of a folder, in an order that does not depend on the file system."""
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _link(path: str, root: str, place: Place) -> Iterator[Gap]:
    """Nothing for a link to something in the folder, because that is read under its own name."""
    try:
        target = os.path.realpath(path, strict=True)
    except OSError:
        yield Gap(place.source, "a link that leads nowhere", Reason.REFUSED)
        return
    if os.path.commonpath((target, root)) != root:
        yield place.gap(Reason.REFUSED, "a link that leads out of the folder", "copy its target in")
    elif os.path.commonpath((target, path)) == target:
        yield Gap(place.source, "a link that leads back to where it stands", Reason.REFUSED)


def _file(path: str, place: Place) -> Iterator[Evidence | Gap]:
    with _opened(path, place) as reader:
        size = os.fstat(reader.fileno()).st_size
        head = reader.read(HEAD)
    if not head:
        yield Gap(place.source, "empty", Reason.NOT_UNDERSTOOD)
        return
    if not is_packed(head):
        yield Evidence(place.source, size, lambda: _reopened(path, place))
        return
    from sickbay.bundle.archives import expand  # noqa: PLC0415 - a plain file shall not pay for it

    yield from expand(lambda: _reopened(path, place), size, place)


def _reopened(path: str, place: Place) -> BinaryIO:
    """A fresh reader; of a file that is gone by now, an empty one and a note."""
    try:
        return _opened(path, place)
    except OSError as failure:
        place.notes.add(_unreadable(place, failure))
        return io.BytesIO()


def _opened(path: str, place: Place) -> io.BufferedReader:
    file = _PlainFile(os.open(path, _flags()), place)
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return io.BufferedReader(file, _BUFFER)
    file.close()
    raise OSError("no longer a plain file")


def _flags() -> int:
    # Not to follow a link, and not to wait on a pipe, that took the file's place meanwhile.
    wanted = ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
    flags = os.O_RDONLY
    for name in wanted:
        flags |= getattr(os, name, 0)
    return flags


def _unreadable(place: Place, failure: OSError) -> Gap:
    if isinstance(failure, PermissionError):
        return place.gap(Reason.FORBIDDEN, "may not be read", "give yourself read access to it")
    return place.gap(Reason.UNREACHABLE, f"cannot be read ({failure.strerror or failure})")


class _PlainFile(io.FileIO):
    """A file on disk; a medium that fails ends it with a note."""

    def __init__(self, descriptor: int, place: Place) -> None:
        super().__init__(descriptor, "rb")
        self._place = place

    def readinto(self, buffer: Any) -> int:
        try:
            return super().readinto(buffer)
        except OSError as failure:
            self._place.notes.add(_unreadable(self._place, failure))
            return 0
