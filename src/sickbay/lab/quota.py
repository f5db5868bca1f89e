"""Whether a subscription may use what a write asks for: cores of a family, and public addresses."""

from typing import Any, Final

from sickbay.lab.answers import Asked, Problem
from sickbay.lab.bodies import Body
from sickbay.lab.estate import Estate
from sickbay.lab.manners import AKS
from sickbay.model.ids import arm_type

_CLUSTERS: Final = "microsoft.containerservice/managedclusters"
_ADDRESSES: Final = "microsoft.network/publicipaddresses"


def exceeded(estate: Estate, asked: Asked, body: Body) -> Problem | None:
    """The refusal if more is asked for than is left."""
    if asked.method == "DELETE":
        return None
    type = arm_type(asked.id).casefold()
    if type == _ADDRESSES and asked.id not in estate.store:
        return _addresses(estate)
    for pool in _pools(type, body):
        found = _cores(estate, asked, pool)
        if found is not None:
            return found
    return None


def _pools(type: str, body: Body) -> list[Body]:
    properties = body.get("properties") or {}
    if type == _CLUSTERS:
        return [one for one in properties.get("agentPoolProfiles") or () if isinstance(one, dict)]
    return [properties] if type == f"{_CLUSTERS}/agentpools" else []


def _cores(estate: Estate, asked: Asked, pool: Body) -> Problem | None:
    family, each = _size(estate, str(pool.get("vmSize", "")))
    more = int(pool.get("count") or 0) - _now(estate, asked, pool)
    needed = each * more
    for name in ("cores", family):
        row = _usage(estate, "Microsoft.Compute", name)
        if needed > 0 and row and row["currentValue"] + needed > row["limit"]:
            is_aks = arm_type(asked.id).casefold().startswith(AKS)
            return _problem(estate, row, needed, is_flat=is_aks)
    return None


def _now(estate: Estate, asked: Asked, pool: Body) -> int:
    id = asked.id if "/agentpools/" in asked.key else f"{asked.id}/agentPools/{pool.get('name')}"
    old = estate.store.get(id) or {}
    return int((old.get("properties") or {}).get("count") or 0)


def _size(estate: Estate, name: str) -> tuple[str, int]:
    """The family of a size and its cores, as the list of SKUs tells."""
    listed: Any = estate.answers.get(estate.place.id("@/Microsoft.Compute/skus").casefold(), [])
    for sku in listed:
        if str(sku.get("name", "")).casefold() == name.casefold():
            known = {one["name"]: one["value"] for one in sku.get("capabilities", ())}
            return str(sku.get("family", "")), int(known.get("vCPUs", 0))
    return "", 0


def _usage(estate: Estate, namespace: str, name: str) -> Body | None:
    short = f"@/{namespace}/locations/{estate.place.location}/usages"
    rows: Any = estate.answers.get(estate.place.id(short).casefold(), [])
    found = [row for row in rows if row["name"]["value"].casefold() == name.casefold()]
    return found[0] if found else None


def _addresses(estate: Estate) -> Problem | None:
    row = _usage(estate, "Microsoft.Network", "PublicIPAddresses")
    if row is None or row["currentValue"] < row["limit"]:
        return None
    message = (
        f"Cannot create more than {row['limit']} public IP addresses for this subscription in this "
        "region."
    )
    return Problem(400, "PublicIPCountLimitReached", message, {"details": []})


def _problem(estate: Estate, row: Body, needed: int, *, is_flat: bool) -> Problem:
    shown = row["name"]["localizedValue"]
    message = (
        f"Operation could not be completed as it results in exceeding approved {shown} quota. "
        f"Additional details - Deployment Model: Resource Manager, Location: "
        f"{estate.place.location}, Current Limit: {row['limit']}, Current Usage: "
        f"{row['currentValue']}, Additional Required: {needed}, (Minimum) New Limit Required: "
        f"{row['currentValue'] + needed}. Setup Alerts when Quota reaches threshold. Learn more at "
        "https://aka.ms/quotamonitoringalerting ."
    )
    return Problem(400, "QuotaExceeded", message, is_flat=is_flat)
