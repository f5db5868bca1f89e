"""Members of archives, nested ones too, as evidence; hostile, damaged and locked ones as gaps."""

import hashlib
import io
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from typing import BinaryIO, Final

from sickbay.bundle import tar
from sickbay.bundle.intake import Evidence, Opener, Place, shown
from sickbay.bundle.magic import foreign_archive, is_packed, is_tar, is_zip, packing_of
from sickbay.bundle.sections import Checked, Section, seekable
from sickbay.bundle.streams import Meter, Unpacked, head_of, unpacked
from sickbay.bundle.zip import DirectoryError, Entry, data_start, directory, salvaged
from sickbay.model.evidence import Gap, Reason

_METHODS: Final = {8: "deflate", 12: "bzip2", 93: "zstd", 95: "xz"}
_STORED: Final = 0
_BUFFER: Final = 64 << 10


def expand(opener: Opener, size: int | None, place: Place) -> Iterator[Evidence | Gap]:
    """One stream as what it is: itself, or the members of the archive that it is."""
    head = head_of(opener)
    packing = packing_of(head)
    if packing:
        yield from _decompressed(unpacked(opener, packing, place), place)
    elif is_zip(head):
        yield from _within(place, _zip_members, opener)
    elif is_tar(head):
        yield from _within(place, _tar_members, opener)
    elif foreign_archive(head):
        what = f"a {foreign_archive(head)} archive, which is not opened here"
        yield place.gap(Reason.NOT_UNDERSTOOD, what, "unpack it and hand in the folder")
    elif head:
        yield Evidence(place.source, size, opener)
    elif not place.notes.knows(place.source):
        yield Gap(place.source, "empty", Reason.NOT_UNDERSTOOD)


def _decompressed(opener: Opener, place: Place) -> Iterator[Evidence | Gap]:
    head = head_of(opener)
    # A tarball is one archive, not two; anything else that is packed twice counts as nested.
    if is_packed(head) and not is_tar(head):
        yield from _within(place, lambda inner, deeper: expand(inner, None, deeper), opener)
        return
    yield from expand(opener, None, place)


def _within(
    place: Place, members: Callable[[Opener, Place], Iterator[Evidence | Gap]], opener: Opener
) -> Iterator[Evidence | Gap]:
    if place.depth >= place.limits.nesting:
        what = f"archives inside archives, more than {place.limits.nesting} deep"
        yield place.gap(Reason.REFUSED, what, "unpack it and hand in the folder")
        return
    yield from members(opener, place.deeper())


def _tar_members(opener: Opener, place: Place) -> Iterator[Evidence | Gap]:
    names = _Names(place)
    cursor = tar.Cursor(opener())
    inside = ""
    try:
        for count, found in enumerate(tar.members(cursor)):
            if count >= place.limits.members:
                yield _too_many(place)
                return
            if isinstance(found, tar.Damage):
                yield from _tar_damage(found, inside, place)
                continue
            inside = found.name
            yield from _tar_member(found, tar.opener_of(cursor, opener, found), names)
    finally:
        cursor.close()


def _tar_damage(found: tar.Damage, inside: str, place: Place) -> Iterator[Gap]:
    if place.notes.knows(place.source):
        return
    behind = f" behind {shown(inside)[:200]}" if inside else ""
    if found.truncated:
        yield place.gap(Reason.TRUNCATED, f"the archive breaks off{behind}")
    else:
        yield place.gap(Reason.MALFORMED, f"the archive is damaged{behind}")


def _tar_member(member: tar.Member, opener: Opener, names: "_Names") -> Iterator[Evidence | Gap]:
    if member.kind is tar.Kind.FOLDER:
        return
    place, refusal = names.place_of(member.name)
    if member.kind in (tar.Kind.LINK, tar.Kind.DEVICE):
        # Nothing is lost with it: a link or device in an archive holds no content of its own.
        yield Gap(place.source, f"a {member.kind}, not followed", Reason.REFUSED)
    elif refusal:
        yield place.gap(Reason.REFUSED, refusal)
    elif member.kind is tar.Kind.FILE:
        yield from expand(opener, member.size, place)
    else:
        yield place.gap(Reason.NOT_UNDERSTOOD, f"a tar member of an unusual kind ({member.kind})")


def _zip_members(opener: Opener, place: Place) -> Iterator[Evidence | Gap]:
    anywhere = seekable(opener, place.limits)
    if anywhere is None:
        yield place.gap(Reason.REFUSED, "an archive inside an archive, too large to open")
        return
    entries, fault = _zip_entries(anywhere, place)
    names = _Names(place)
    crowded = _overlapping(entries)
    for entry in sorted(entries[: place.limits.members], key=lambda entry: _tidy(entry.name)):
        if not entry.name.endswith(("/", "\\")):
            yield from _zip_member(entry, anywhere, names, crowded)
    if len(entries) > place.limits.members:
        yield _too_many(place)
    if fault:
        yield fault
    elif not entries:
        yield place.gap(Reason.NOT_UNDERSTOOD, "an archive without members")


def _zip_entries(opener: Opener, place: Place) -> tuple[list[Entry], Gap | None]:
    limit = place.limits.members + 1
    with opener() as file:
        try:
            return list(islice(directory(file), limit)), None
        except DirectoryError as failure:
            meter = Meter(place.limits, place.total)
            entries = list(islice(salvaged(file, meter), limit))
            reason = Reason.TRUNCATED if entries else Reason.MALFORMED
            return entries, place.gap(reason, f"a zip archive of which {failure}")


def _zip_member(
    entry: Entry, opener: Opener, names: "_Names", crowded: frozenset[int]
) -> Iterator[Evidence | Gap]:
    place, refusal = names.place_of(entry.name)
    if entry.is_link or entry.is_device:
        yield Gap(place.source, "a link or device, not followed", Reason.REFUSED)
    elif refusal or entry.header in crowded:
        yield place.gap(Reason.REFUSED, refusal or "shares its bytes with another member")
    elif entry.encrypted:
        to_open = "unpack it with its password and hand in the folder"
        yield place.gap(Reason.FORBIDDEN, "locked with a password", to_open)
    elif entry.method != _STORED and entry.method not in _METHODS:
        yield place.gap(Reason.NOT_UNDERSTOOD, f"zip compression method {entry.method}")
    else:
        yield from expand(_entry_opener(entry, opener, place), entry.size, place)


def _overlapping(entries: list[Entry]) -> frozenset[int]:
    """Members that lie on top of each other: how a small archive is made to unpack to petabytes."""
    ordered = sorted(entries, key=lambda entry: entry.header)
    return frozenset(
        second.header
        for first, second in pairwise(ordered)
        if first.header + first.packed >= second.header
    )


def _entry_opener(entry: Entry, opener: Opener, place: Place) -> Opener:
    meter = Meter(place.limits, place.total)

    def open_entry() -> BinaryIO:
        file = opener()
        start = data_start(file, entry)
        if start is None:
            file.close()
            place.note(Reason.MALFORMED, "the archive has no such member where it says")
            return io.BytesIO()
        # What ends too early within a whole archive is not cut off but damaged.
        is_whole = start + entry.packed <= file.seek(0, 2)
        broken = Reason.MALFORMED if is_whole else Reason.TRUNCATED
        raw: io.RawIOBase = Section(file, start, entry.packed)
        packing = _METHODS.get(entry.method)
        if packing:
            packed = io.BufferedReader(raw, _BUFFER)
            raw = Unpacked(packed, packing, place, meter, broken)
        return io.BufferedReader(Checked(raw, entry.checksum, place, broken), _BUFFER)

    return open_entry


def _too_many(place: Place) -> Gap:
    return place.gap(Reason.REFUSED, f"more than {place.limits.members} members in one archive")


class _Names:
    """Names of members as they are shown: tidy, and each once."""

    def __init__(self, place: Place) -> None:
        self._place = place
        # Digests, because the names of a hostile archive may be long and many.
        self._taken: set[bytes] = set()

    def place_of(self, raw: str) -> tuple[Place, str]:
        """Where a member stands, and why it may not be opened (or an empty string)."""
        refusal = _refusal(raw, self._place.limits.name)
        name = shown(_tidy(raw[: self._place.limits.name]) or "unnamed")
        unique, count = name, 1
        while (key := hashlib.blake2b(unique.encode(), digest_size=16).digest()) in self._taken:
            count += 1
            unique = f"{name}#{count}"
        self._taken.add(key)
        return self._place.inner(unique), refusal


def _tidy(name: str) -> str:
    parts = name.replace("\\", "/").split("/")
    return "/".join(part for part in parts if part not in ("", "."))


def _refusal(name: str, longest: int) -> str:
    flat = name.replace("\\", "/")
    if len(name) > longest:
        return "a name of unreasonable length"
    if flat.startswith("/") or (flat[1:2] == ":" and flat[:1].isalpha()):
        return "a name that is an absolute path"
    if ".." in flat.split("/"):
        return "a name that leads out of the archive"
    return ""
