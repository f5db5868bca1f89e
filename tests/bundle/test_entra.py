"""Secrets of applications and the versions of a region become entities; no secret is kept."""

import json
from typing import Any

import pytest

from sickbay.bundle.build import Builder, Deaf
from sickbay.bundle.foreign.values import take
from sickbay.model.applications import AppSecret, OfferedVersions
from sickbay.model.snapshot import Snapshot

SECRET = {
    "customKeyIdentifier": None,
    "displayName": "rbac",
    "endDateTime": "2027-03-01T10:00:00Z",
    "hint": "Xy9",
    "keyId": "6a0b2c11-0000-4000-8000-000000000001",
    "secretText": "hunter2~hunter2",
    "startDateTime": "2026-03-01T10:00:00Z",
}


def snapshot(value: Any, source: str = "answer.json") -> Snapshot:
    builder = Builder(Deaf())
    take(value, source, builder)
    found: Snapshot = builder.finish()
    return found


def test_a_list_of_credentials_is_of_one_application_that_it_does_not_name() -> None:
    other = {**SECRET, "keyId": "k2", "endDateTime": "2026-01-01T00:00:00Z"}
    found = snapshot([SECRET, other]).some(AppSecret)
    assert {one.holder for one in found} == {"answer.json"}
    assert {one.app_id for one in found} == {None}
    assert snapshot([SECRET, other]).gaps == ()


def test_an_application_names_itself() -> None:
    app = {"appId": "AAAA", "id": "BBBB", "passwordCredentials": [SECRET], "keyCredentials": []}
    (found,) = snapshot(app).some(AppSecret)
    assert (found.app_id, found.holder, found.end_date_time) == (
        "aaaa",
        "aaaa",
        "2027-03-01T10:00:00Z",
    )


def test_neither_value_nor_hint_of_a_secret_is_kept() -> None:
    (found,) = snapshot([SECRET]).some(AppSecret)
    assert "hunter2" not in repr(found)
    assert "Xy9" not in repr(found)


@pytest.mark.parametrize(
    ("source", "location"), [("versions-westeurope.json", "westeurope"), ("versions.json", None)]
)
def test_the_versions_of_a_region_are_read(source: str, location: str | None) -> None:
    answer = {"values": [{"version": "1.33", "patchVersions": {"1.33.4": {"upgrades": []}}}]}
    (found,) = snapshot(json.loads(json.dumps(answer)), source).some(OfferedVersions)
    assert (found.minors, found.location) == (("1.33",), location)
