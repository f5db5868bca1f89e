"""The bodies that the lab serves have the fields and the casing of recorded ones."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ask import Azure  # type: ignore[import-not-found]

from sickbay.lab.world import load, worlds
from sickbay.model.ids import arm_type

EXAMPLES = Path(__file__).parents[3] / "shared" / "arm" / "examples"
AT_LEAST = 30
WITHOUT = "the recorded bodies do not lie beside this checkout"
Body = dict[str, Any]
# Keys that name something, and differ from one body to the next.
NAMED = ("tags", "userAssignedIdentities", "addonProfiles", "configurationSettings", "parameters")


@cache
def recorded() -> dict[str, list[Body]]:
    """Recorded bodies by the type that their folder names."""
    found: dict[str, list[Body]] = {}
    for path in sorted(EXAMPLES.glob("Microsoft.*/**/*.json")):
        type = str(path.parent.relative_to(EXAMPLES)).replace("\\", "/")
        body = json.loads(path.read_text())
        bodies = body.get("value") if isinstance(body.get("value"), list) else [body]
        found.setdefault(type.casefold(), []).extend(
            one for one in bodies or [] if isinstance(one, dict) and "id" in one
        )
    return {type: bodies for type, bodies in found.items() if bodies}


@cache
def served() -> dict[str, list[Body]]:
    """One body of each type in each world, as a client gets it."""
    found: dict[str, list[Body]] = {}
    for name in worlds():
        azure = Azure(load(name)._replace(forbid=(), trouble=(), versions={}))
        store, seen = azure.simulated.estate.store, set()
        for key in list(store._raw):
            type = arm_type(key).casefold()
            if type not in seen and not key.endswith("/instanceview"):
                seen.add(type)
                found.setdefault(type, []).append(azure.get(store.id(key)))
    return found


def paths(value: Any, at: str = "") -> Iterator[str]:
    """The paths of all fields of a body; items of lists share one path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{at}.{key}"
            if key not in NAMED:
                yield from paths(inner, f"{at}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from paths(inner, f"{at}[]")


def fields(body: Body) -> set[str]:
    """What every body of a type has: the fields of the body itself and of its properties."""
    inner = body.get("properties")
    below = inner if isinstance(inner, dict) else {}
    return set(body) | {f"properties.{key}" for key in below}


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason=WITHOUT)
def test_what_every_recorded_body_of_a_type_has_is_served() -> None:
    assert len(set(recorded()) & set(served())) >= AT_LEAST
    missing = {}
    for type, bodies in recorded().items():
        always = set.intersection(*(fields(one) for one in bodies))
        for body in served().get(type, ()):
            lacks = {one for one in always - fields(body) if not _is_taken_out(one, type)}
            if lacks:
                missing[type] = sorted(lacks)
    assert missing == {}


# Fields that a recorded body has for a reason that this body has not.
TAKEN_OUT = {
    "microsoft.containerservice/managedclusters": {"identity", "properties.identityProfile"},
    "microsoft.networkcloud/defaultcninetworks": {
        "properties.cniBgpConfiguration",
        "properties.ipv6ConnectedPrefix",
    },
    "microsoft.networkcloud/l3networks": {"properties.ipv6ConnectedPrefix"},
}


def _is_taken_out(field: str, type: str) -> bool:
    # A resource that failed has lost the words in which it said that all is well.
    return field in TAKEN_OUT.get(type, ()) or field == "properties.detailedStatusMessage"


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason=WITHOUT)
def test_fields_are_spelt_as_recorded() -> None:
    wrong = []
    for type, bodies in recorded().items():
        known = {path.casefold(): path for one in bodies for path in paths(one)}
        for body in served().get(type, ()):
            for path in paths(body):
                spelt = known.get(path.casefold(), path)
                if spelt != path:
                    wrong.append(f"{type}: {path} is recorded as {spelt}")
    assert wrong == []


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason=WITHOUT)
def test_the_types_without_a_recorded_body_are_known() -> None:
    without = {type for type in served() if type not in recorded()}
    assert without == {
        "microsoft.authorization/policyexemptions",
        "microsoft.compute/capacityreservationgroups",
        "microsoft.compute/capacityreservationgroups/capacityreservations",
        "microsoft.compute/disks",
        "microsoft.connectedvmwarevsphere/vcenters",
        "microsoft.containerregistry/registries",
        "microsoft.managedidentity/userassignedidentities",
        "microsoft.network/firewallpolicies",
        "microsoft.network/networksecuritygroups/securityrules",
        "microsoft.network/routetables/routes",
        "microsoft.network/virtualnetworks/virtualnetworkpeerings",
        "microsoft.operationalinsights/workspaces",
        "microsoft.resources/resourcegroups",
    }


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason=WITHOUT)
@pytest.mark.parametrize(
    ("file", "path"),
    [
        ("error_404_ResourceNotFound", "@shop/Microsoft.ContainerService/fleets/x"),
        ("error_403_AuthorizationFailed", "@shop/Microsoft.Authorization/locks"),
    ],
)
def test_errors_have_the_recorded_shape(file: str, path: str) -> None:
    told = json.loads((EXAMPLES / "_http" / f"{file}.json").read_text())["response"]
    azure = Azure(load("aks-healthy")._replace(forbid=["Microsoft.Authorization/locks"]))
    reply = azure.ask("GET", path)
    assert reply.status == told["status"]
    assert set(paths(json.loads(reply.content))) == set(paths(told["body"]))
    assert json.loads(reply.content)["error"]["code"] == told["body"]["error"]["code"]
