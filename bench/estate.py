"""Writes a big, mostly healthy estate: `python -m bench.estate NODES PODS EVENTS FOLDER`."""

import argparse
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from bench import estate_owners as owners
from bench import estate_states as states
from bench import estate_templates as templates
from bench.estate_states import Disk, Mode

REPLICAS = 30
SICK_IN = 1250  # one workload in so many, for each way to be ill
SICK_NODE_IN = 1000
NAMESPACES = 80


class Scale(NamedTuple):
    nodes: int
    pods: int
    events: int
    seed: int = 7


class Workload(NamedTuple):
    """A deployment and all that its pods have in common."""

    number: int
    mode: Mode
    replicas: int

    @property
    def app(self) -> str:
        return f"app-{self.number:05}"

    @property
    def namespace(self) -> str:
        return f"team-{self.number % NAMESPACES:02}"

    def words(self) -> dict[str, object]:
        sick = self.mode is not Mode.HEALTHY
        return {
            "app": self.app,
            "namespace": self.namespace,
            "hash": f"{self.number * 2654435761 % 2**32:08x}",
            "image": states.image(self.mode, self.app),
            "cpu": "64" if self.mode is Mode.CPU else "250m",
            "owner_uid": f"00000000-0000-4000-8000-{self.number:012x}",
            "replicas": self.replicas,
            "ready": 0 if sick else self.replicas,
            "unready": self.replicas if sick else 0,
            "conditions": states.workload_conditions(self.mode),
            "allowed": 0 if sick else self.replicas // 4,
            "desired": self.replicas - self.replicas // 4,
        }


class Pod(NamedTuple):
    workload: Workload
    words: dict[str, object]


def write(scale: Scale, folder: Path) -> None:
    """Write all files; the same scale gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    sick_nodes = set(_chosen(scale.seed, range(scale.nodes), scale.nodes // SICK_NODE_IN))
    works = workloads(scale)
    _indented(folder / "nodes.json", _nodes(scale, sick_nodes))
    _listed(folder / "pods.json", "PodList", "v1", _pods(scale, works))
    _listed(folder / "events.json", "EventList", "v1", _events(scale, works, sick_nodes))
    _listed(
        folder / "deployments.json", "DeploymentList", "apps/v1", _each(works, owners.deployment())
    )
    _listed(folder / "services.json", "ServiceList", "v1", _each(works, owners.service()))
    _listed(
        folder / "pdb.json", "PodDisruptionBudgetList", "policy/v1", _each(works, owners.budget())
    )
    _plain(folder / "aks-show.json", owners.cluster(scale.nodes))
    _plain(folder / "nodepools.json", owners.pools(scale.nodes))


def workloads(scale: Scale) -> list[Workload]:
    count = -(-scale.pods // REPLICAS)
    ill = max(1, count // SICK_IN)
    modes = [Mode.IMAGE, Mode.MEMORY, Mode.CPU] * ill
    chosen = _chosen(scale.seed, range(count), len(modes))
    mode_of = dict(zip(chosen, modes, strict=False))
    return [
        Workload(i, mode_of.get(i, Mode.HEALTHY), min(REPLICAS, scale.pods - i * REPLICAS))
        for i in range(count)
    ]


def pods(scale: Scale, works: list[Workload]) -> Iterator[Pod]:
    source = random.Random(scale.seed)
    number = 0
    for work in works:
        shared = work.words()
        for _ in range(work.replicas):
            number += 1
            node = number % scale.nodes
            suffix = f"{source.getrandbits(25):05x}"[:5]
            is_placed = work.mode is not Mode.CPU
            place = {
                "name": f"{work.app}-{shared['hash']}-{suffix}{number % 97:02}",
                "uid": _uid(source),
                "version": 10_000_000 + number,
                "node": _node_name(node) if is_placed else "",
                "host": _node_address(node),
                "address": f"10.{128 + node // 256}.{node % 256}.{2 + number // scale.nodes % 250}",
                "nodes": scale.nodes,
            }
            yield Pod(work, shared | place)


def _pods(scale: Scale, works: list[Workload]) -> Iterator[bytes]:
    template = templates.Template(templates.pod())
    for pod in pods(scale, works):
        status = states.pod_status(pod.workload.mode).fill(pod.words)
        yield template.fill(pod.words | {"status": status.decode()})


def _nodes(scale: Scale, sick: set[int]) -> Iterator[bytes]:
    source = random.Random(scale.seed + 1)
    template = templates.Template(templates.node(), indent=4, depth=8)
    for number in range(scale.nodes):
        pool = number // owners.POOL_SIZE
        disk = Disk.FULL if number in sick else Disk.ROOMY
        yield template.fill(
            {
                "name": _node_name(number),
                "pool": owners.pool_name(pool),
                "mode": owners.pool_mode(pool).lower(),
                "instance": number % owners.POOL_SIZE,
                "zone": 1 + number % 3,
                "uid": _uid(source),
                "version": 9_000_000 + number,
                "range": f"10.{128 + number // 256}.{number % 256}.0/24",
                "address": _node_address(number),
                "taints": states.SICK_TAINTS if disk is Disk.FULL else "null",
                "conditions": states.node_conditions(disk),
            }
        )


def _events(scale: Scale, works: list[Workload], sick_nodes: set[int]) -> Iterator[bytes]:
    """Healthy chatter about pods in turn, with the bad news strewn evenly among it."""
    source = random.Random(scale.seed + 2)
    template = templates.Template(templates.event())
    bad = list(_bad_news(scale, works, sick_nodes))[: scale.events]
    step = max(1, scale.events // max(1, len(bad)))
    chatter = _chatter(scale, works)
    for number in range(scale.events):
        due = number % step == 0 and number // step < len(bad)
        words = bad[number // step] if due else next(chatter)
        minute = number * 50 // scale.events
        at = f"2026-01-10T09:{minute:02}:{number % 60:02}Z"
        own = {"uid": _uid(source), "version": 11_000_000 + number, "at": at}
        yield template.fill(words | own)


def _bad_news(
    scale: Scale, works: list[Workload], sick_nodes: set[int]
) -> Iterator[dict[str, object]]:
    for number in sorted(sick_nodes):
        for news in states.NODE_NEWS:
            yield news.words({"name": _node_name(number), "node": _node_name(number)}, "Node")
    for pod in pods(scale, works):
        if pod.workload.mode is not Mode.HEALTHY:
            for news in states.POD_NEWS[pod.workload.mode]:
                yield news.words(pod.words, "Pod")


def _chatter(scale: Scale, works: list[Workload]) -> Iterator[dict[str, object]]:
    while True:
        for pod in pods(scale, works):
            if pod.workload.mode is Mode.HEALTHY:
                for news in states.POD_NEWS[Mode.HEALTHY]:
                    yield news.words(pod.words, "Pod")


def _each(works: list[Workload], shape: templates.Json) -> Iterator[bytes]:
    template = templates.Template(shape)
    for work in works:
        own = {
            "uid": f"00000000-0000-4000-9000-{work.number:012x}",
            "version": 8_000_000 + work.number,
            "address": f"172.16.{1 + work.number // 250}.{1 + work.number % 250}",
        }
        yield template.fill(work.words() | own)


def _chosen(seed: int, among: range, count: int) -> list[int]:
    """Some of many, the same ones for the same seed; at least one."""
    return random.Random(seed).sample(among, min(len(among), max(1, count)))


def _uid(source: random.Random) -> str:
    digits = f"{source.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-8{digits[17:20]}-{digits[20:]}"


def _node_name(number: int) -> str:
    pool, instance = divmod(number, owners.POOL_SIZE)
    return f"aks-{owners.pool_name(pool)}-vmss{instance:06}"


def _node_address(number: int) -> str:
    return f"10.0.{number // 250}.{4 + number % 250}"


def _listed(path: Path, kind: str, version: str, items: Iterable[bytes]) -> None:
    """As the API server writes a list: compact, what it is comes first."""
    head = (
        f'{{"kind":"{kind}","apiVersion":"{version}","metadata":{{"resourceVersion":"12000000"}},'
    )
    with path.open("wb") as file:
        file.write(head.encode() + b'"items":[')
        _joined(file, b",", items)
        file.write(b"]}\n")


def _indented(path: Path, items: Iterable[bytes]) -> None:
    """As kubectl prints a list: indented, what it is comes last."""
    with path.open("wb") as file:
        file.write(b'{\n    "apiVersion": "v1",\n    "items": [\n        ')
        _joined(file, b",\n        ", items)
        file.write(b'\n    ],\n    "kind": "List",\n    "metadata": {\n')
        file.write(b'        "resourceVersion": ""\n    }\n}\n')


def _joined(file: BinaryIO, separator: bytes, items: Iterable[bytes]) -> None:
    file.writelines(separator + item if number else item for number, item in enumerate(items))


def _plain(path: Path, document: object) -> None:
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("nodes", "pods", "events"):
        parser.add_argument(name, type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    write(Scale(given.nodes, given.pods, given.events, given.seed), given.folder)


if __name__ == "__main__":
    main()
