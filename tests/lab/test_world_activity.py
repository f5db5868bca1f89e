"""`sickbay activity` as a user runs it, against the simulated Azure."""

import json
import ssl
from collections.abc import Iterator
from http.client import HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from sickbay.cli.main import main
from sickbay.lab.server import Lab, running

pytestmark = pytest.mark.allow_hosts(["127.0.0.1", "::1"])

SUBSCRIPTION = "5b1c7c3e-0f0a-4a39-9c41-6a6f2a0c9d11"
POOLS = "@shop/Microsoft.ContainerService/managedClusters/prod/agentPools"


@pytest.fixture(autouse=True)
def _signed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_TENANT_ID", "7d3e2f10-52a8-4c0e-8a55-1f6f4a3b2c90")
    monkeypatch.setenv("AZURE_CLIENT_ID", SUBSCRIPTION)
    monkeypatch.setenv("AZURE_CLIENT_SECRET", "lab")


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with running("aks-quota") as made:
        yield made


def asked(lab: Lab, capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    where = ["--endpoint", lab.endpoint, "--ca-file", lab.ca_file, "--auth", "environment"]
    code = main(["activity", "-s", SUBSCRIPTION, *where, *words, "-o", "json"])
    out = capfd.readouterr().out
    return code, json.loads(out) if out else {}


def put(lab: Lab, id: str, **properties: Any) -> str:
    """Begin to make something; return the URL of the operation."""
    body = json.dumps({"location": "westeurope", "properties": properties}).encode()
    headers = {"Authorization": "Bearer lab", "Content-Type": "application/json"}
    trust = ssl.create_default_context(cafile=lab.ca_file)
    line = HTTPSConnection(urlsplit(lab.endpoint).netloc, context=trust)
    path = f"{lab.estate.place.id(id)}?api-version=2025-05-01"
    line.request("PUT", path, body, headers)
    answer = line.getresponse()
    answer.read()
    line.close()
    return str(answer.headers["Azure-AsyncOperation"])


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["-g", "SHOP"],
        ["--status", "failed", "--since", "2d"],
        ["--resource", "apps"],
        ["--category", "administrative", "--level", "error"],
    ],
)
def test_the_failure_is_found_by_each_way(
    lab: Lab, capfd: pytest.CaptureFixture[str], words: list[str]
) -> None:
    code, data = asked(lab, capfd, *words)
    failed = [one for one in data["operations"] if one["outcome"] == "failed"]
    assert code == 0
    assert "quota" in failed[0]["error"]["text"].casefold()
    assert failed[0]["caller"]


def test_a_correlation_and_an_event_lead_to_the_same(
    lab: Lab, capfd: pytest.CaptureFixture[str]
) -> None:
    _, data = asked(lab, capfd)
    [known] = [one for one in data["operations"] if one["outcome"] == "failed"]
    _, found = asked(lab, capfd, "--correlation-id", known["correlation"])
    assert found["operations"] == [known]
    _, full = asked(lab, capfd, "--event", known["events"][-1])
    assert full["events"][0]["correlation"] == known["correlation"]
    assert {layer["code"] for layer in full["events"][0]["layers"]} > {known["error"]["code"]}


def test_what_azure_no_longer_keeps_makes_it_partial(
    lab: Lab, capfd: pytest.CaptureFixture[str]
) -> None:
    code, data = asked(lab, capfd, "--since", "120d")
    assert code == 3
    assert "90 days" in data["gaps"][0]["what"]


def test_an_event_that_is_not_there_is_told(lab: Lab, capfd: pytest.CaptureFixture[str]) -> None:
    code, _ = asked(lab, capfd, "--event", "nope")
    assert code == 2


def test_an_operation_is_followed_to_its_end(capfd: pytest.CaptureFixture[str]) -> None:
    with running("aks-healthy", speed=600) as lab:
        url = put(lab, f"{POOLS}/extra", count=1, vmSize="Standard_D2s_v5", mode="User")
        code, data = asked(lab, capfd, "--operation", url, "--timeout", "60")
    assert code == 0
    assert data["outcome"] == "succeeded"
    assert data["ended"] >= data["begun"]
    assert "api-version" in data["url"]
    assert "&s=" not in json.dumps(data)


def test_the_log_of_what_was_just_done_comes_late(capfd: pytest.CaptureFixture[str]) -> None:
    with running("aks-healthy", speed=1) as lab:
        put(lab, f"{POOLS}/extra", count=1, vmSize="Standard_D2s_v5", mode="User")
        where = ["--endpoint", lab.endpoint, "--ca-file", lab.ca_file, "--auth", "environment"]
        code = main(["activity", "-s", SUBSCRIPTION, *where, "--resource", "extra"])
        page = capfd.readouterr().out
    assert code == 0
    assert "0 operations" in page or "running" in page
    assert "proves nothing" in " ".join(page.split())
