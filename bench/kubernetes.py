"""A live diagnosis of 1,000 nodes and 20,000 pods on a real API server, against bare paged reading.

Objects are written with a finished status, without kubelets, scheduler or controllers, so that the
cluster is big and stands still. `--part 10` makes one of a tenth of the size, with as many faults.
Needs what `make cluster-up` needs.
"""

import argparse
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPSConnection
from pathlib import Path
from ssl import create_default_context
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from bench.kubernetes_estate import FAULTS, KINDS, Estate, node
from bench.measure import Usage, run
from tests.cluster import cleanup, control_plane
from tests.cluster.build import build, missing
from tests.cluster.certificates import Subject
from tests.cluster.layout import Layout
from tests.cluster.nodes import make_bridge
from tests.cluster.running import owned

PAGE = 500
MOST_TIMES, MOST_MB = 2.5, 500
REPEATS = 3
LISTS = ("/api/v1/nodes", "/api/v1/pods", "/api/v1/events")


class Writer:
    """Writes objects over one connection."""

    def __init__(self, layout: Layout) -> None:
        context = create_default_context(cafile=str(layout.keys / "ca.crt"))
        context.load_cert_chain(str(layout.keys / "admin.crt"), str(layout.keys / "admin.key"))
        self._connection = HTTPSConnection(layout.host, 6443, context=context, timeout=60)

    def post(self, path: str, body: dict[str, Any]) -> None:
        self._send("POST", path, body)

    def post_with_status(self, path: str, body: dict[str, Any]) -> None:
        self.post(path, body)
        self._send("PUT", f"{path}/{body['metadata']['name']}/status", body)

    def _send(self, method: str, path: str, body: dict[str, Any]) -> None:
        headers = {"Content-Type": "application/json"}
        self._connection.request(method, path, json.dumps(body), headers)
        answer = self._connection.getresponse()
        said = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {said[:300]!r}")


def fill(layout: Layout, estate: Estate) -> None:
    """Write the whole estate, over several connections."""
    Writer(layout).post(
        "/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": "default"}}
    )
    with ThreadPoolExecutor(4) as side_by_side:
        list(side_by_side.map(lambda part: _fill(layout, estate, part), range(4)))


def _fill(layout: Layout, estate: Estate, part: int) -> None:
    writer = Writer(layout)
    for number in range(part, estate.nodes, 4):
        writer.post_with_status("/api/v1/nodes", node(number))
    for number in range(part, estate.pods, 4):
        writer.post_with_status("/api/v1/namespaces/default/pods", estate.pod(number))
    for number in range(part, estate.events, 4):
        writer.post("/api/v1/namespaces/default/events", estate.event(number))


def bare(kubectl: str, kubeconfig: Path) -> float:
    """The seconds that bare reading of the same lists takes, in pages."""
    begun = time.perf_counter()
    for path in LISTS:
        more = ""
        while True:
            url = f"{path}?limit={PAGE}{more}"
            command = [kubectl, f"--kubeconfig={kubeconfig}", "get", "--raw", url]
            answer = subprocess.run(command, capture_output=True, check=True).stdout
            found = json.loads(answer[: answer.index(b'"items"')] + b'"items": []}')
            if not found["metadata"].get("continue"):
                break
            more = f"&continue={found['metadata']['continue']}"
    return time.perf_counter() - begun


def live(kubeconfig: Path) -> Usage:
    ask = ["--kubeconfig", str(kubeconfig), "-o", "json", "--quiet"]
    return run([sys.executable, "-m", "sickbay", "diagnose", *ask])


def asked(layout: Layout) -> list[str]:
    """The lists that were asked for, from the audit log."""
    lines = (layout.logs / "audit.log").read_text().splitlines()
    entries = [json.loads(line) for line in lines]
    return [entry["requestURI"] for entry in entries if entry["verb"] == "list"]


def told_of(output: str) -> dict[str, list[int]]:
    """The causes that the evidence shows: of how many pods each tells, as often as it is told."""
    found: dict[str, list[int]] = {}
    for cause in json.loads(output)["causes"]:
        if cause["evidence"]:
            found.setdefault(cause["rule"], []).append(1 + len(cause["also"]))
    return found


def report(layout: Layout, kubectl: str, kubeconfig: Path) -> bool:
    """Measure, print, and say whether all bounds hold."""
    fetches, runs = [], []
    # They take turns, so that a busy machine slows both.
    for _ in range(REPEATS):
        fetches.append(bare(kubectl, kubeconfig))
        runs.append(live(kubeconfig))
    fetched, took = min(fetches), min(one.seconds for one in runs)
    megabytes = max(one.megabytes for one in runs)
    lists = asked(layout)
    whole = [uri for uri in lists if "limit=" not in uri]
    print(f"bare paged reading   {fetched:6.1f} s")
    print(f"live diagnosis       {took:6.1f} s   {took / fetched:.2f} x (at most {MOST_TIMES})")
    print(f"of it, our own CPU   {min(one.cpu for one in runs):6.1f} s")
    print(f"memory               {megabytes:6.0f} MB  (at most {MOST_MB})")
    is_told = _is_told(told_of(runs[0].output))
    print(f"lists without limit  {len(whole)} of {len(lists)} {sorted(set(whole))[:5]}")
    in_time = took <= MOST_TIMES * fetched and megabytes <= MOST_MB
    return in_time and is_told and bool(lists) and not whole


def _is_told(found: dict[str, list[int]]) -> bool:
    """Whether each kind of fault is told, once, and of all its pods."""
    wanted = {kind.expect for kind in KINDS}
    each = FAULTS // len(KINDS)
    odd = {rule: found[rule] for rule in wanted & found.keys() if found[rule] != [each]}
    print(f"kinds of faults      {len(wanted & found.keys())} of {len(wanted)}")
    print(f"missing              {sorted(wanted - found.keys())}")
    print(f"not once for {each}      {odd}")
    print(f"others               {sorted(found.keys() - wanted)}")
    return wanted <= found.keys() and not odd


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", type=int, default=1, help="how many times smaller")
    estate = Estate().part(parser.parse_args().part)
    if reason := missing():
        print(f"skipped: {reason}")
        return 0
    built = build()
    layout = owned()
    try:
        layout.logs.mkdir()
        authority = control_plane.make_credentials(layout, ())
        make_bridge(layout)
        control_plane.start_store(layout)
        control_plane.start_server(layout, built)
        fill(layout, estate)
        # Only what this user asks is noted.
        asker = Subject("bench", "system:masters", groups=("sickbay:audited",))
        kubeconfig = control_plane.kubeconfig_of(layout, authority, "bench", asker)
        return 0 if report(layout, built.program("kubectl"), kubeconfig) else 1
    finally:
        cleanup.remove(layout)


if __name__ == "__main__":
    sys.exit(main())
