"""Estates of any size: the same seed makes the same estate, and all of it can be read in pages."""

import time

from ask import Azure, decoded  # type: ignore[import-not-found]

from sickbay.lab.generated import Size, generated

SETS = "Microsoft.Compute/virtualMachineScaleSets"


def counted(azure: Azure, *types: str) -> list[int]:
    store = azure.simulated.estate.store
    return [sum(1 for _ in store.of_type(type)) for type in types]


def test_an_estate_has_the_size_that_was_asked_for() -> None:
    clusters = "Microsoft.ContainerService/managedClusters"
    azure = Azure(generated(Size(5, 17, 101, 7)))
    found = counted(azure, clusters, f"{clusters}/agentPools", SETS, f"{SETS}/virtualMachines")
    assert found == [5, 17, 17, 101]


def test_the_same_seed_makes_the_same_estate() -> None:
    one, same, other = (Azure(generated(Size(3, 9, 60, seed))) for seed in (1, 1, 2))
    stores = [azure.simulated.estate.store._raw for azure in (one, same, other)]
    assert stores[0] == stores[1]
    assert stores[0].keys() != stores[2].keys()


def test_every_page_of_a_large_list_is_cheap() -> None:
    azure = Azure(generated(Size(4, 4, 1200, 1)))
    whole = next(azure.simulated.estate.store.of_type(SETS))
    begin = time.process_time()
    page, count, pages = azure.get(f"{whole}/virtualMachines", expand="instanceView"), 0, 1
    count += len(page["value"])
    while "nextLink" in page:
        page = decoded(azure.follow(page["nextLink"]))
        count, pages = count + len(page["value"]), pages + 1
    assert count >= 290
    assert pages >= 3
    assert time.process_time() - begin < 1.0
