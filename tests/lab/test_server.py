"""The lab as a server: https, sign-in, the command, and how it ends."""

import asyncio
import json
import os
import signal
import ssl
import subprocess
import sys
import urllib.request
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError

import pytest

from sickbay.errors import SickbayError
from sickbay.lab.server import Lab, running

pytestmark = pytest.mark.allow_hosts(["127.0.0.1", "::1"])


def fetched(url: str, ca_file: str, data: bytes | None = None, **headers: str) -> bytes:
    context = ssl.create_default_context(cafile=ca_file)
    request = urllib.request.Request(url, data, headers)  # noqa: S310
    with urllib.request.urlopen(request, context=context, timeout=10) as answer:  # noqa: S310
        found: bytes = answer.read()
    return found


def test_a_world_is_served_over_https_with_a_certificate_of_its_own() -> None:
    with running("aks-healthy") as lab:
        url = f"{lab.endpoint}/subscriptions?api-version=2022-12-01"
        body = json.loads(fetched(url, lab.ca_file, authorization="Bearer x"))
        assert body["value"][0]["state"] == "Enabled"
        assert lab.asked == ["GET /subscriptions"]
        with pytest.raises(HTTPError, match="401"):
            fetched(url, lab.ca_file)
    assert not Path(lab.ca_file).exists()


def test_a_service_principal_and_a_managed_identity_get_a_token() -> None:
    with running("aks-healthy") as lab:
        base = f"{lab.endpoint}/{lab.estate.place.tenant}"
        known = json.loads(fetched(f"{base}/v2.0/.well-known/openid-configuration", lab.ca_file))
        form = b"grant_type=client_credentials&scope=https%3A%2F%2Flab%2F.default"
        token = json.loads(fetched(known["token_endpoint"], lab.ca_file, form))
        assert token["token_type"] == "Bearer"  # noqa: S105
        assert token["access_token"].count(".") == 2
        place = f"{lab.endpoint}/metadata/identity/oauth2/token?resource=r&api-version=2018-02-01"
        identity = json.loads(fetched(place, lab.ca_file, metadata="true"))
        assert identity["resource"] == "r"
        with pytest.raises(HTTPError, match="400"):
            fetched(place, lab.ca_file)
        found = json.loads(fetched(f"{lab.endpoint}/common/discovery/instance", lab.ca_file))
        assert found["tenant_discovery_endpoint"].startswith(lab.endpoint)


def test_a_body_can_break_off_in_the_middle(tmp_path: Path) -> None:
    world = tmp_path / "cut.yaml"
    world.write_text("about: cut\nbase: aks-small\ntrouble: [{at: /resources, kind: cut}]\n")
    with running(str(world)) as lab:
        scope = f"{lab.endpoint}/subscriptions/{lab.estate.place.subscription}"
        with pytest.raises((HTTPException, OSError)):
            fetched(
                f"{scope}/resources?api-version=2021-04-01", lab.ca_file, authorization="Bearer x"
            )


def test_a_port_in_use_is_one_clear_line() -> None:
    async def both() -> None:
        async with Lab("aks-healthy") as first:
            port = int(first.endpoint.rpartition(":")[2])
            async with Lab("aks-healthy", port=port):
                pass

    with pytest.raises(SickbayError, match="cannot be used"):
        asyncio.run(both())


def test_sickbay_signs_in_as_a_service_principal_and_finds_the_cause() -> None:
    with running("aks-lock") as lab:
        place = lab.estate.place
        target = place.id("@shop/Microsoft.ContainerService/managedClusters/prod")
        command = [sys.executable, "-m", "sickbay", "diagnose", target, "-o", "json"]
        command += ["--endpoint", lab.endpoint, "--ca-file", lab.ca_file, "--auth", "environment"]
        names = ("AZURE_TENANT_ID", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET")
        env = {
            **os.environ,
            **dict(zip(names, (place.tenant, place.subscription, "lab"), strict=True)),
        }
        done = subprocess.run(command, capture_output=True, check=False, env=env, timeout=200)
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["causes"][0]["rule"] == "aks.resource_locked"
    assert any(line.endswith("/oauth2/v2.0/token") for line in lab.asked)


def sickbay(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sickbay", "lab", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_the_command_lists_the_worlds() -> None:
    done = sickbay("list")
    assert done.returncode == 0
    assert "aks-quota " in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("up", "aks-qota"), "did you mean aks-quota"),
        (("up", "zzzzzz"), "see: sickbay lab list"),
        (("up",), "no world is named"),
        (("up", "aks-quota", "--port", "x"), "x is no number for --port"),
        (("up", "missing.yaml"), "cannot read missing.yaml"),
    ],
)
def test_a_mistake_is_one_clear_line(words: tuple[str, ...], says: str) -> None:
    done = sickbay(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_it_says_when_it_is_ready_and_ends_cleanly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sickbay", "lab", "up", "aks-quota", "-o", "json"]
    command += ["--state", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        url = f"{ready['endpoint']}/tenants?api-version=2022-12-01"
        assert fetched(url, ready["ca_file"], authorization="Bearer x")
        assert ready["targets"][0].endswith("/managedClusters/prod")
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, b"")
    assert oct((tmp_path / "server.key").stat().st_mode)[-3:] == "600"
