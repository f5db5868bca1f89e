"""Lines from the middle of a resource, pasted without their brackets."""

import pytest
from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.ids import arm

GROUP = "/subscriptions/<subscription>/resourceGroups/rg/providers"
CLUSTER = f"{GROUP}/Microsoft.ContainerService/managedClusters/aks1"
SITE = "/subscriptions/1/resourceGroups/rg/providers/Microsoft.NetworkCloud/clusters/site1"
SHOW = "$ az aks show -g rg -n aks1\n"
STATE = '  "powerState": {\n    "code": "Running"\n  },\n  "provisioningState": "Failed",\n'


@pytest.mark.parametrize(
    ("text", "id"),
    [
        (SHOW + STATE, CLUSTER),
        (SHOW + STATE + "  ...\n", CLUSTER),
        (SHOW + STATE + "  }\n]\nAny idea?\n", CLUSTER),
        (f'"id": "{SITE}",\n"properties": {{\n  "detailedStatus": "Failed"\n', SITE),
        (
            STATE + '"resourceGroup": "rg", "name": "aks1",\n'
            '"type": "Microsoft.ContainerService/ManagedClusters"\n',
            CLUSTER,
        ),
    ],
)
def test_lines_of_a_resource_are_read_as_one(text: str, id: str) -> None:
    assert made(text, "paste.txt").snapshot.find(arm(id)) is not None


@pytest.mark.parametrize(
    "lines",
    [
        '  "status": "Failed",\n  "error": {\n    "code": "QuotaExceeded"\n  }\n',
        '  "code": "QuotaExceeded",\n  "status": "Failed"\n',
        '  "status": "Failed, QuotaExceeded\n',
        '  "vmSize": "QuotaExceeded",\n',
    ],
)
def test_other_lines_are_left_to_be_heard(lines: str) -> None:
    found = made(SHOW + lines, "paste.txt")
    assert found.snapshot.find(arm(CLUSTER)) is None
    said = [text.text for text in found.texts] + [text for text, _ in found.logs]
    assert any("QuotaExceeded" in text for text in said)


def test_lines_of_an_unknown_resource_are_left() -> None:
    found = made(STATE, "paste.txt")
    assert "Failed" in found.logs[0][0]
