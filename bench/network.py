"""The evaluators of networks: prefix overlaps against plain sorting, the matrix against one pair.

The bar for overlaps is three times what it takes to sort the same prefixes as `ipaddress` objects
that are there already; ours reads the texts, too. `reach --matrix` may take five times as long as
`reach` for one pair on the same folder, and with ten times the pods twelve times its own time.
"""

import argparse
import gc
import ipaddress
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sickbay.network.prefixes import overlaps, parse

PREFIXES, OVERLAP_BAR = 10_000, 3.0
PODS, POLICIES, MATRIX_BAR, GROWTH_BAR = 2_000, 300, 5.0, 12.0
NAMESPACES, APPS = 10, 8


def seconds(work: Callable[[], object], prepare: Callable[[], object] = gc.collect) -> float:
    """The best of five, each from the same start."""
    best = float("inf")
    for _ in range(5):
        prepare()
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def prefixes(version: int, count: int) -> list[str]:
    dice = random.Random(7)
    bits, shortest = (32, 12) if version == 4 else (128, 32)
    kind: Any = ipaddress.IPv4Network if version == 4 else ipaddress.IPv6Network
    found = []
    for _ in range(count):
        length = dice.randint(shortest, bits)
        found.append(
            str(kind((dice.getrandbits(bits) >> (bits - length) << (bits - length), length)))
        )
    return found


def bench_overlaps() -> bool:
    passed = True
    for version in (4, 6):
        texts = prefixes(version, PREFIXES)
        keyed = [(text, at) for at, text in enumerate(texts)]
        objects = [ipaddress.ip_network(text) for text in texts]
        plain = seconds(lambda objects=objects: sorted(objects))  # type: ignore[misc]
        ours = seconds(lambda keyed=keyed: overlaps(keyed), parse.cache_clear)  # type: ignore[misc]
        ratio = ours / plain
        passed &= ratio <= OVERLAP_BAR
        print(
            f"overlaps of {PREFIXES} IPv{version} prefixes: {ours * 1000:.1f} ms, "
            f"sorting as ipaddress objects {plain * 1000:.1f} ms: {ratio:.2f} x (bar {OVERLAP_BAR} x)"
        )
    return passed


def pod(at: int) -> dict[str, Any]:
    labels = {"app": f"app{at // NAMESPACES % APPS}", "pod-template-hash": f"{at:x}"}
    address = f"10.{at >> 16 & 255}.{at >> 8 & 255}.{at & 255}"
    ports = [{"name": "http", "containerPort": 8080}]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"p{at}", "namespace": f"ns{at % NAMESPACES}", "labels": labels},
        "spec": {"nodeName": f"node{at % 50}", "containers": [{"name": "main", "ports": ports}]},
        "status": {"phase": "Running", "podIP": address},
    }


def policy(at: int) -> dict[str, Any]:
    app = at // NAMESPACES % APPS
    peers: list[dict[str, Any]] = [
        {"podSelector": {"matchLabels": {"app": f"app{(app + 1) % APPS}"}}},
        {"namespaceSelector": {"matchLabels": {"team": f"team{at % 3}"}}},
    ]
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": f"policy{at}", "namespace": f"ns{at % NAMESPACES}"},
        "spec": {
            "podSelector": {"matchLabels": {"app": f"app{app}"}},
            "policyTypes": ["Ingress", "Egress"],
            "ingress": [{"from": peers, "ports": [{"port": "http"}]}],
            "egress": [{"to": peers}, {"ports": [{"port": 53, "protocol": "UDP"}]}],
        },
    }


def written(folder: Path, pods: int) -> Path:
    """A folder such as `kubectl get … -A -o json` fills."""
    folder.mkdir()
    spaces = [
        {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": f"ns{at}", "labels": {"team": f"team{at % 3}"}},
        }
        for at in range(NAMESPACES)
    ]
    for name, items in {
        "namespaces": spaces,
        "pods": [pod(at) for at in range(pods)],
        "networkpolicies": [policy(at) for at in range(POLICIES)],
    }.items():
        whole = {"apiVersion": "v1", "kind": "List", "metadata": {}, "items": items}
        (folder / f"{name}.json").write_text(json.dumps(whole))
    return folder


def command(folder: Path, *words: str) -> float:
    """The best of five runs of `sickbay reach`."""
    sickbay = str(Path(sys.executable).with_name("sickbay"))

    def run() -> None:
        subprocess.run(
            [sickbay, "reach", *words, "--from", str(folder), "-o", "json"],
            stdout=subprocess.DEVNULL,
            check=False,
        )

    return seconds(run)


def bench_matrix() -> bool:
    with tempfile.TemporaryDirectory() as place:
        few, many = written(Path(place, "few"), PODS), written(Path(place, "many"), PODS * 10)
        pair = command(few, "pod/ns0/p0", "pod/ns1/p1", "--port", "8080")
        whole, larger = command(few, "--matrix"), command(many, "--matrix")
    ratio, growth = whole / pair, larger / whole
    print(
        f"matrix of {PODS} pods and {POLICIES} policies: {whole:.2f} s, one pair {pair:.2f} s: "
        f"{ratio:.2f} x (bar {MATRIX_BAR} x)"
    )
    print(f"matrix of {PODS * 10} pods: {larger:.2f} s: {growth:.2f} x (bar {GROWTH_BAR} x)")
    return ratio <= MATRIX_BAR and growth <= GROWTH_BAR


def main() -> int:
    argparse.ArgumentParser(description=__doc__).parse_known_args()
    passed = [bench_overlaps(), bench_matrix()]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
