"""Times a diagnosis of a large simulated estate against merely fetching the same pages.

The lab serves 200 clusters with 2,000 pools and 20,000 instances from a process of its own. One run
notes what a diagnosis asks for; then a bare aiohttp loop fetches exactly these pages, as many at
once, and the diagnosis runs, in turns. What counts is how much longer the diagnosis takes: the best
run of each, since whatever else the machine does only ever makes a run longer.

Both find things as they are on the second day of an installed program: the rules are compiled, and
so are the modules of Python, in a folder of this run. Neither pays for the collector of cycles,
which the program switches off. The time is that between the first question and the diagnosis (of
the bare loop, the last page); the seconds of the processor, told beside it, are of the whole
process of the client, its start included, and not of the lab.
"""

import asyncio
import gc
import json
import os
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from azure.core.credentials import AccessToken

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.measure import Usage, run

AT_ONCE = 8
MOST_TIMES = 1.5
MOST_MEGABYTES = 700
SECONDS = 900.0
REPEATS = 3


class Token:
    """A credential that never asks anybody."""

    async def get_token(self, *scopes: str, **options: Any) -> AccessToken:  # noqa: ARG002
        return AccessToken("lab", int(time.time()) + 3600)

    async def close(self) -> None:
        pass


def main() -> int:
    if len(sys.argv) > 1 and sys.argv[1] in _PARTS:
        _PARTS[sys.argv[1]](sys.argv[2])
        return 0
    numbers = [word for word in sys.argv[1:] if word.isdecimal()]
    clusters = int(numbers[0]) if numbers else 200
    with tempfile.TemporaryDirectory() as folder:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = os.environ["SICKBAY_CACHE"] = folder
        with _lab(clusters, folder) as place:
            return _measured(place)


def _measured(place: str) -> int:
    me = [sys.executable, __file__]
    subprocess.run([*me, "note", place], check=True)
    # The first diagnosis makes ready what all later ones find.
    subprocess.run([*me, "diagnose", place], check=True, stdout=subprocess.DEVNULL)
    bare, full = [], []
    for _ in range(REPEATS):
        bare.append(run([*me, "bare", place]))
        full.append(run([*me, "diagnose", place]))
    pages = len(json.loads(Path(place).with_suffix(".urls").read_text()))
    times, megabytes = _best(full) / _best(bare), max(one.megabytes for one in full)
    for name, runs in (("bare loop", bare), ("diagnose --all", full)):
        cpu = min(one.cpu for one in runs)
        print(f"{name:16} {pages} pages in {_best(runs):5.1f} s   processor {cpu:5.1f} s")
    ok = times <= MOST_TIMES and megabytes <= MOST_MEGABYTES
    print(f"diagnose --all takes {times:.2f} x the bare loop   bar {MOST_TIMES} x")
    print(f"memory of diagnose {megabytes:.0f} MB   bar {MOST_MEGABYTES} MB")
    print("ok" if ok else "MISSED")
    return 0 if ok else 1


def _best(runs: list[Usage]) -> float:
    return min(float(json.loads(one.output)["seconds"]) for one in runs)


@contextmanager
def _lab(clusters: int, folder: str) -> Iterator[str]:
    """An estate that is served; gives the file that says where."""
    size = ["--clusters", clusters, "--pools", clusters * 10, "--instances", clusters * 100]
    argv = [sys.executable, "-m", "sickbay", "lab", "up", "generated", *map(str, size)]
    with subprocess.Popen(
        [*argv, "--state", folder, "-o", "json"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            place = Path(folder) / "lab.json"
            place.write_text(process.stdout.readline())
            yield str(place)
        finally:
            process.terminate()


def _source(place: str) -> Any:
    from sickbay.collect.azure import Account, Azure
    from sickbay.collect.clouds import Cloud
    from sickbay.collect.target import Wanted

    lab = json.loads(Path(place).read_text())
    cloud = Cloud("lab", lab["endpoint"], lab["endpoint"])
    who: Any = Token()
    account = Account(cloud, ca_file=lab["ca_file"], seconds=SECONDS, credential=who)
    return Azure(account, Wanted(subscription=lab["subscription"], is_all=True))


def _diagnose(place: str) -> None:
    # As the bare loop does: what is imported is there before the first question.
    from sickbay.app import Settings
    from sickbay.collect import target, transport, walk  # noqa: F401
    from sickbay.live import diagnose_live

    # As the program does: what it makes lives as long as it does.
    gc.disable()
    start = time.perf_counter()
    found = diagnose_live([_source(place)], "estate", Settings())
    seconds = time.perf_counter() - start
    looked, causes = found.looked, [cause.rule for cause in found.causes]
    told = {"entities": looked.entities, "gaps": len(found.gaps), "causes": len(causes)}
    print(json.dumps({"seconds": seconds, **told}))


def _note(place: str) -> None:
    """Walk once, and note every address that was asked."""
    from sickbay.bundle.build import Builder, Deaf
    from sickbay.collect.clouds import Cloud
    from sickbay.collect.target import Wanted, resolve
    from sickbay.collect.transport import Transport
    from sickbay.collect.walk import Walk

    asked: list[str] = []

    class Noting(Transport):
        async def _send(self, method: str, url: str, body: Any) -> Any:
            asked.append(url)
            return await super()._send(method, url, body)

    lab = json.loads(Path(place).read_text())

    async def work() -> None:
        cloud = Cloud("lab", lab["endpoint"], lab["endpoint"])
        who: Any = Token()
        transport = Noting(cloud, who, seconds=SECONDS, ca_file=lab["ca_file"])
        try:
            wanted = Wanted(subscription=lab["subscription"], is_all=True)
            targets = await resolve(transport, wanted)
            await Walk(transport, Builder(Deaf())).start(*targets.ids)
        finally:
            await transport.close()

    asyncio.run(work())
    Path(place).with_suffix(".urls").write_text(json.dumps(asked))


def _bare(place: str) -> None:
    import aiohttp

    lab = json.loads(Path(place).read_text())
    waiting = iter(json.loads(Path(place).with_suffix(".urls").read_text()))
    trust = ssl.create_default_context(cafile=lab["ca_file"])

    async def fetch(session: Any) -> None:
        for url in waiting:
            async with session.get(url) as response:
                await response.read()

    async def work() -> None:
        connector = aiohttp.TCPConnector(ssl=trust, limit=AT_ONCE)
        headers = {"Authorization": "Bearer lab"}
        async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
            await asyncio.gather(*(fetch(session) for _ in range(AT_ONCE)))

    gc.disable()
    start = time.perf_counter()
    asyncio.run(work())
    print(json.dumps({"seconds": time.perf_counter() - start}))


_PARTS = {"note": _note, "bare": _bare, "diagnose": _diagnose}

if __name__ == "__main__":
    sys.exit(main())
