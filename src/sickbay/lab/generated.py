"""Estates of any size, made from a seed: the same seed makes the same estate."""

import random
from collections.abc import Iterator
from typing import Any

from sickbay.lab.bodies import Body
from sickbay.lab.world import World
from sickbay.record import NamedTuple


class Size(NamedTuple):
    """How much there is, and the seed that decides the rest."""

    clusters: int = 3
    pools: int = 6
    instances: int = 20
    seed: int = 1


def generated(size: Size) -> World:
    """A world with so many clusters; pools and instances are spread over them."""
    about = f"{size.clusters} clusters, {size.pools} pools, {size.instances} instances"
    made = list(_resources(size))
    grow = [str(one["id"]) for one in made if "/agentPools/" not in one["id"]]
    return World(f"generated-{size.seed}", about, add=made, grow=grow)


def _resources(size: Size) -> Iterator[Body]:
    chance = random.Random(size.seed)  # noqa: S311 - no secret, but the same every time
    counts = _spread(size.instances, max(size.pools, 1), chance)
    for number in range(size.clusters):
        group, name = f"team-{number // 10:03}", f"cluster-{number:04}"
        yield {
            "id": f"@{group}/Microsoft.ContainerService/managedClusters/{name}",
            "properties": {"nodeResourceGroup": f"MC_{group}_{name}"},
        }
        for pool in range(number, size.pools, max(size.clusters, 1)):
            yield _pool(f"@{group}/Microsoft.ContainerService/managedClusters/{name}", pool, counts)


def _pool(cluster: str, number: int, counts: list[int]) -> Body:
    properties: dict[str, Any] = {"count": counts[number], "vmSize": "Standard_D4s_v3"}
    properties["mode"] = "System" if number < 1 else "User"
    return {"id": f"{cluster}/agentPools/pool{number:05}", "properties": properties}


def _spread(total: int, over: int, chance: random.Random) -> list[int]:
    """So many, spread over so many places: none without one as long as they suffice."""
    counts = [total // over] * over
    for place in range(total % over):
        counts[place] += 1
    for _ in range(over // 2):
        giver, taker = chance.randrange(over), chance.randrange(over)
        if counts[giver] > 1:
            counts[giver] -= 1
            counts[taker] += 1
    return counts
