"""Counters of a region's quota, and of which region they are."""

import json

from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.azure import RegionUsages

COUNTER = {"currentValue": "10", "limit": "14", "name": {"value": "cores"}, "localName": "vCPUs"}


def usages(text: str, source: str = "usages.json") -> RegionUsages:
    [found] = made(text, source).snapshot.some(RegionUsages)
    assert isinstance(found, RegionUsages)
    return found


def test_numbers_that_az_prints_as_text_are_numbers() -> None:
    assert usages(json.dumps([COUNTER])).counter("cores") == (10, 14)


def test_the_region_stands_in_the_id() -> None:
    id = "/subscriptions/1/providers/Microsoft.Network/locations/westus/usages/x"
    body = {"value": [{**COUNTER, "id": id}]}
    assert usages(json.dumps(body)).location == "westus"


def test_else_the_region_stands_in_the_name_of_the_file() -> None:
    assert usages(json.dumps([COUNTER]), "out/usage-westeurope.json").location == "westeurope"


def test_else_the_region_is_unknown() -> None:
    assert usages(json.dumps([COUNTER])).location is None


def test_one_counter_alone_is_understood() -> None:
    assert usages(json.dumps(COUNTER)).counter("cores") == (10, 14)


def test_counters_are_known_as_yaml_too() -> None:
    text = "- currentValue: '10'\n  limit: '14'\n  localName: vCPUs\n  name:\n    value: cores\n"
    assert usages(text, "usages.yaml").counter("cores") == (10, 14)
