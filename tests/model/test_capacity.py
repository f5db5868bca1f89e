"""Which sizes could take the place of another, out of quota and what a region offers."""

from typing import Any

from sickbay.engine.casebook import snapshot_of
from sickbay.model.aks import AgentPool
from sickbay.model.capacity import sizes_that_fit

PLACE = "/subscriptions/1/providers/Microsoft.Compute/locations/westeurope"
POOL = "/subscriptions/1/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/c"


def sku(name: str, zones: tuple[str, ...] = ("1", "2", "3"), withheld: str = "") -> dict[str, Any]:
    restrictions = [{"type": withheld, "reasonCode": "QuotaId"}] if withheld else []
    return {
        "id": f"{PLACE}/skus/{name}",
        "name": name,
        "locations": ["westeurope"],
        "locationInfo": [{"location": "westeurope", "zones": list(zones)}],
        "restrictions": restrictions,
    }


def usage(name: str, used: int, limit: int) -> dict[str, Any]:
    id = f"{PLACE}/usages/{name}"
    return {"id": id, "name": {"value": name}, "currentValue": used, "limit": limit}


def fitting(*documents: Any, **pool: Any) -> str:
    snapshot = snapshot_of({"documents": list(documents)})
    asked = AgentPool(id=f"{POOL}/agentPools/np1", vm_size="Standard_D4s_v3", **pool)
    return sizes_that_fit(snapshot, asked, "westeurope", 2)


def test_without_evidence_no_size_is_named() -> None:
    assert fitting() == ""


def test_a_family_with_cores_left_is_named_and_a_full_one_is_not() -> None:
    counters = [
        usage("cores", 10, 100),
        usage("standardDSv5Family", 0, 8),
        usage("standardDDSv5Family", 3, 10),
        usage("standardESv5Family", 0, 7),
    ]
    assert fitting(counters) == "Standard_D4s_v5"


def test_nothing_fits_where_the_region_is_full() -> None:
    assert fitting([usage("cores", 99, 100), usage("standardDSv5Family", 0, 100)]) == ""


def test_a_size_that_is_withheld_or_lacks_a_zone_does_not_fit() -> None:
    offered = [
        sku("Standard_D4s_v5", withheld="Location"),
        sku("Standard_D4ds_v5", zones=("2", "3")),
        sku("Standard_E4s_v5"),
    ]
    assert fitting(*offered, availability_zones=["1"]) == "Standard_E4s_v5"


def test_spot_machines_have_one_counter_for_all_families() -> None:
    counters = [usage("cores", 100, 100), usage("lowPriorityCores", 0, 8)]
    assert fitting(counters, scale_set_priority="Spot").startswith("Standard_D4s_v6")
