"""The signature scanner against ripgrep, on half a gigabyte of logs: calm, and in an error storm.

Ours is the product's own way: blocks of UTF-8 from a file, the cached database, records unwrapped,
captured, dated and folded. Ripgrep only counts the lines that the same patterns match. The bar is
for the catalogue; plain synthetic patterns, without alternatives, show the other end.
"""

import argparse
import collections
import gzip
import json
import os
import random
import re
import shutil
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import zstandard

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import logs, measure

from sickbay.bundle.encoding import text_blocks
from sickbay.bundle.frame import Frame
from sickbay.bundle.records import split
from sickbay.bundle.unwrap import layers
from sickbay.engine import hyper
from sickbay.engine.catalog import BUILT_IN, built_in_folder, load
from sickbay.engine.confirm import Pattern
from sickbay.engine.patterns import candidates
from sickbay.engine.scan import Scanner
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import kube
from sickbay.rulekit.signature import Signature

DATA = Path(__file__).parent / "data"
RG = Path(sys.executable).with_name("rg")
STORMS = {"calm": 0.001, "storm": 0.05}
SIGNATURES = 500
BAR, MEMORY = 2.0, 150.0
BRUTE = 300_000
PART = 64 << 10


class Catalogue(NamedTuple):
    """Some patterns, where they are kept for ripgrep and for a child, and their database."""

    name: str
    patterns: tuple[str, ...]
    lines: Path
    listed: Path
    database: Path


def catalogues() -> list[Catalogue]:
    """The built-in rules, filled up with synthetic signatures; and plain synthetic ones alone."""
    cards = [card for card, _ in load(built_in_folder(), BUILT_IN)]
    ours = [signature.pattern for card in cards for signature in card.signatures]
    plain = [fault.pattern for fault in logs.faults()]
    full = (*ours, *plain[: max(0, SIGNATURES - len(ours))])
    return [_prepared("rules", full), _prepared("plain", tuple(plain))]


def _prepared(name: str, patterns: tuple[str, ...]) -> Catalogue:
    key = f"{zlib.crc32((hyper.identity() + json.dumps(patterns)).encode()):08x}"
    paths = [DATA / f"{name}-{key}.{ending}" for ending in ("txt", "json", "db")]
    # Ripgrep makes one expression of all patterns, so a group name may stand there only once.
    paths[0].write_text("\n".join(re.sub(r"\(\?P<\w+>", "(?:", one) for one in patterns) + "\n")
    paths[1].write_text(json.dumps(patterns))
    start = time.perf_counter()
    paths[2].write_bytes(hyper.compile(candidates(patterns)))
    size = paths[2].stat().st_size / 1e6
    spent = time.perf_counter() - start
    print(f"{name}: {len(patterns)} signatures compiled once in {spent:.1f} s, {size:.1f} MB")
    return Catalogue(name, patterns, *paths)


def scanner(patterns: tuple[str, ...], database: bytes) -> Scanner:
    signatures = [Signature(pattern, "", "", "") for pattern in patterns]
    return Scanner(hyper.Matcher(database), signatures.__getitem__)


def child(listed: str, database: str, file: str) -> None:
    """Scan one file, as the product does, and say how often each signature was heard."""
    one = scanner(tuple(json.loads(Path(listed).read_text())), Path(database).read_bytes())
    with _opened(file) as reader:
        one.scan_blocks(text_blocks(reader), Frame(file, None, "log", 2026))
    heard = sum(heard.times for heard in one.finish())
    print(json.dumps({"heard": heard, "peak": _peak()}))


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    with Path(file).open("rb", buffering=0) as raw:
        if file.endswith(".gz"):
            yield cast("BinaryIO", gzip.GzipFile(fileobj=raw))
        elif file.endswith(".zst"):
            yield cast("BinaryIO", zstandard.ZstdDecompressor().stream_reader(raw))
        else:
            yield cast("BinaryIO", raw)


def _peak() -> float:
    """The most memory that this process had, in megabytes; what it inherited is not counted."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def written(name: str, size: int, share: float) -> Path:
    """A log of some size; kept for the next run."""
    path = DATA / f"{name}-{size >> 10}k.log"
    if not path.exists():
        with path.with_suffix(".part").open("wb") as file:
            logs.write(file, size, share)
        path.with_suffix(".part").rename(path)
    return path


def race(catalogue: Catalogue, file: Path, part: Path, repeats: int) -> tuple[float, float]:
    """Print the throughput of both; return the ratio and our memory."""
    ours = [sys.executable, __file__, "--child", *map(str, catalogue[3:]), str(file)]
    theirs = [
        str(RG),
        "-j1",
        "-c",
        "--regex-size-limit",
        "4G",
        "--dfa-size-limit",
        "1G",
        "-f",
        str(catalogue.lines),
    ]
    if catalogue.name == "plain":
        runs = measure.interleaved({"ours": ours, "rg": [*theirs, str(file)]}, repeats)
        their_size, idle = file.stat().st_size, 0.0
    else:
        # So many alternatives take ripgrep minutes: it gets a part, one try, and its start for free.
        runs = measure.interleaved({"ours": ours}, repeats)
        runs["rg"] = measure.run([*theirs, str(part)])
        their_size, idle = part.stat().st_size, measure.run([*theirs, os.devnull]).seconds
    our_speed = file.stat().st_size / 1e6 / runs["ours"].seconds
    their_speed = their_size / 1e6 / (runs["rg"].seconds - idle)
    said = json.loads(runs["ours"].output)
    print(
        f"{catalogue.name:6} {file.stem:10} ours {our_speed:6.0f} MB/s, {said['peak']:.0f} MB RSS, "
        f"{said['heard']} heard; rg {their_speed:6.1f} MB/s"
    )
    return our_speed / their_speed, float(said["peak"])


def agrees(catalogue: Catalogue, file: Path) -> bool:
    """Whether a slice holds for us exactly what every pattern on every layer of every record does."""
    with file.open("rb") as reader:
        data = reader.read(BRUTE).rpartition(b"\n")[0]
    one = scanner(catalogue.patterns, catalogue.database.read_bytes())
    one.scan_blocks([data], Frame("slice", None, "log", 2026))
    ours: collections.Counter[object] = collections.Counter()
    for heard in one.finish():
        ours[heard.signature, heard.facts] += heard.times
    wanted: collections.Counter[object] = collections.Counter()
    patterns = [Pattern(pattern) for pattern in catalogue.patterns]
    for _, record in split(data.decode()):
        found = layers(record)
        for number, pattern in enumerate(patterns):
            confirmed = pattern.in_layers(found)
            if confirmed:
                wanted[number, confirmed.facts] += 1
    print(
        f"{catalogue.name:6} brute force over {BRUTE >> 10} kB: {sum(wanted.values())} hits,",
        end=" ",
    )
    print("the same" if ours == wanted else f"OTHER: {sum(ours.values())}")
    return ours == wanted


def compressed(catalogue: Catalogue, file: Path) -> Iterator[float]:
    """Scan compressed logs as streams, and return our memory."""
    for ending, pack in ((".gz", _gzip), (".zst", _zstandard)):
        path = file.with_suffix(f".log{ending}")
        if not path.exists():
            with file.open("rb") as source, path.open("wb") as target:
                pack(source, target)
        ours = [sys.executable, __file__, "--child", *map(str, catalogue[3:]), str(path)]
        one = measure.run(ours)
        speed, peak = file.stat().st_size / 1e6 / one.seconds, json.loads(one.output)["peak"]
        print(f"{catalogue.name:6} {path.name:16} {speed:6.0f} MB/s, {peak:.0f} MB RSS")
        yield float(peak)


def _gzip(source: BinaryIO, target: BinaryIO) -> None:
    with gzip.GzipFile(fileobj=target, mode="wb", compresslevel=1, mtime=0) as packed:
        shutil.copyfileobj(source, packed)


def _zstandard(source: BinaryIO, target: BinaryIO) -> None:
    zstandard.ZstdCompressor(level=1).copy_stream(source, target)


def messages(catalogue: Catalogue, count: int = 300_000) -> None:
    """Time messages as events carry them, one in a hundred of which matches."""
    faults, names = logs.faults(), logs.Names(random.Random(3))
    texts = []
    for n in range(count):
        drawn = names()
        text = f'Successfully pulled image "{drawn["image"]}" in 2.{n}s (3.1s including waiting)'
        if not n % 100:
            text = faults[n // 100 % 60].message.format_map(drawn)
        where = Origin("events.json", f"$.items[{n}].message")
        texts.append(Text(text, where, kube("Pod", "shop", str(drawn["pod"])), "event"))
    one = scanner(catalogue.patterns, catalogue.database.read_bytes())
    start = time.perf_counter()
    for message in texts:
        one.add(message)
    found = one.finish()
    spent = time.perf_counter() - start
    print(f"{catalogue.name:6} {count} messages in {spent:.2f} s, {len(found)} kinds heard")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="50 MB instead of 500")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(*options.child)
        return 0
    DATA.mkdir(exist_ok=True)
    size, repeats = (50 << 20, 3) if options.small else (500 << 20, 5)
    holds = True
    for catalogue in catalogues():
        for storm, share in STORMS.items():
            file, part = written(storm, size, share), written(storm, PART, share)
            ratio, memory = race(catalogue, file, part, repeats)
            bar = BAR if catalogue.name == "rules" else None
            holds &= measure.verdict(f"{catalogue.name} {storm}: ours against ripgrep", ratio, bar)
            holds &= memory < MEMORY
        holds &= agrees(catalogue, written("storm", 20 << 20, STORMS["storm"]))
        holds &= all(
            used < MEMORY for used in compressed(catalogue, written("calm", 20 << 20, 0.001))
        )
        messages(catalogue)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
